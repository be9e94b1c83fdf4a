package org.lrwp.server;

import org.glassfish.embeddable.CommandResult;
import org.glassfish.embeddable.GlassFish;
import org.glassfish.embeddable.GlassFishException;
import org.glassfish.embeddable.GlassFishProperties;
import org.glassfish.embeddable.GlassFishRuntime;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Embedded GlassFish with one HTTP listener and one application at the root.
 *
 * <p>Each setting differs from the container's default for a reason; docs/operations.md names them.
 * One JVM can hold one container at a time. Not thread-safe: boot, deploy and stop follow each
 * other.
 */
final class Container {
    private static final System.Logger LOG = System.getLogger(Container.class.getName());
    private static final String APPLICATION = "lrwp-proxy";

    /** The MBean of the application, docs/operations.md. */
    private static final String CONTROL = "org.lrwp:type=Proxy,*";

    private static final String SERVER = "embedded-glassfish-config.server.";
    private static final String LISTENER_NAME = "http-listener";
    private static final String LISTENER =
            SERVER + "network-config.network-listeners.network-listener." + LISTENER_NAME + ".";
    private static final String HTTP =
            SERVER + "network-config.protocols.protocol.http-listener.http.";
    private static final String TRANSPORT = SERVER + "network-config.transports.transport.tcp.";
    private static final String THREADS = SERVER + "thread-pools.thread-pool.http-thread-pool.";

    /** Above the application's own limit, so that it is the application that answers: 431. */
    private static final int REQUEST_HEAD_BYTES = 256 * 1024;

    private static final int MOST_FIELDS = 2_000;

    private final GlassFishRuntime runtime;
    private final GlassFish glassfish;
    private final HttpPort port;

    private Container(GlassFishRuntime runtime, GlassFish glassfish, HttpPort port) {
        this.runtime = runtime;
        this.glassfish = glassfish;
        this.port = port;
    }

    /**
     * Boots the container; takes some seconds. Its port is not open then.
     *
     * @param settings threads, and what is spoken
     * @param folder an existing folder that it may unpack into
     * @throws GlassFishException when it does not start
     */
    static Container boot(ServerSettings settings, Path folder) throws GlassFishException {
        // An empty product name keeps the Server header out of the answers.
        System.setProperty("product.name", "");
        RequestObjects.keepMore();
        GlassFishRuntime runtime = GlassFishRuntime.bootstrap();
        GlassFish glassfish = runtime.newGlassFish(properties(settings, folder));
        glassfish.start();
        return new Container(runtime, glassfish, HttpPort.of(glassfish, LISTENER_NAME));
    }

    private static GlassFishProperties properties(ServerSettings settings, Path folder) {
        String threads = Integer.toString(settings.httpThreads());
        GlassFishProperties properties = new GlassFishProperties();
        properties.setProperty("glassfish.embedded.tmpdir", folder.toString());
        // Any free port, until the application is there: HttpPort.
        properties.setProperty(LISTENER + "address", "127.0.0.1");
        properties.setProperty(LISTENER + "port", "0");
        properties.setProperty(LISTENER + "enabled", "true");
        properties.setProperty(
                HTTP + "header-buffer-length-bytes", Integer.toString(REQUEST_HEAD_BYTES));
        properties.setProperty(HTTP + "max-request-headers", Integer.toString(MOST_FIELDS));
        properties.setProperty(HTTP + "max-response-headers", Integer.toString(MOST_FIELDS));
        // Else a GET, HEAD or DELETE that has a body is refused.
        properties.setProperty(HTTP + "allow-payload-for-undefined-http-methods", "true");
        // The default closes a connection after 250 requests, in the middle of a client's pipeline.
        properties.setProperty(HTTP + "max-connections", "-1");
        properties.setProperty(HTTP + "xpowered-by", "false");
        properties.setProperty(HTTP + "http2-enabled", Boolean.toString(settings.http2()));
        // Nothing here speaks them, and each read and write would pass their filter.
        properties.setProperty(HTTP + "websockets-support-enabled", "false");
        properties.setProperty(
                TRANSPORT + "acceptor-threads",
                Integer.toString(Runtime.getRuntime().availableProcessors()));
        // A fixed pool: no thread is made under load. A connection has at most one task in the
        // queue, so the connections bound it; a bound below that drops requests without an answer.
        properties.setProperty(THREADS + "min-thread-pool-size", threads);
        properties.setProperty(THREADS + "max-thread-pool-size", threads);
        properties.setProperty(THREADS + "max-queue-size", "-1");
        return properties;
    }

    /**
     * Deploys the application at the root.
     *
     * @return whether it is served now; why not stands in the log
     * @throws GlassFishException when the container cannot take commands
     */
    boolean deploy(Path war) throws GlassFishException {
        CommandResult result =
                glassfish
                        .getCommandRunner()
                        .run(
                                "deploy",
                                "--contextroot",
                                "/",
                                "--name",
                                APPLICATION,
                                war.toAbsolutePath().toString());
        return result.getExitStatus() == CommandResult.ExitStatus.SUCCESS;
    }

    /**
     * Lets clients in, when the application can answer them.
     *
     * @throws IOException when the address cannot be had
     */
    void open(Endpoint http) throws IOException {
        port.open(http);
    }

    /**
     * Has the application turn new requests away and end what is in flight, while the container
     * still serves it; blocks for the application's drain time at most.
     */
    void drain() {
        var server = ManagementFactory.getPlatformMBeanServer();
        try {
            for (ObjectName proxy : server.queryNames(new ObjectName(CONTROL), null)) {
                server.invoke(proxy, "drain", new Object[0], new String[0]);
            }
        } catch (JMException e) {
            LOG.log(Level.WARNING, "drain-failed", e);
        }
    }

    /**
     * Closes the port, undeploys, then stops.
     *
     * @throws GlassFishException when the container does not stop
     */
    void stop() throws GlassFishException {
        port.close();
        // Without the application this is refused, which is as good.
        glassfish.getCommandRunner().run("undeploy", APPLICATION);
        glassfish.stop();
        glassfish.dispose();
        runtime.shutdown();
    }
}
