package org.lrwp.server;

import org.glassfish.embeddable.CommandResult;
import org.glassfish.embeddable.GlassFish;
import org.glassfish.embeddable.GlassFishException;
import org.glassfish.embeddable.GlassFishProperties;
import org.glassfish.embeddable.GlassFishRuntime;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/**
 * Embedded GlassFish with one HTTP listener and one application at the root.
 *
 * <p>{@link DomainFile} is its configuration. One JVM can hold one container at a time. Not
 * thread-safe: boot, deploy and stop follow each other.
 */
final class Container {
    private static final String APPLICATION = "lrwp-proxy";

    private static final String LISTENER_NAME = "http-listener";
    private static final String DEFAULT_WEB_XML = "default-web.xml";
    private static final List<String> ADAPTERS =
            List.of("__cp_jdbc_ra", "__dm_jdbc_ra", "__ds_jdbc_ra", "__xa_jdbc_ra", "jmsra");

    private final GlassFishRuntime runtime;
    private final GlassFish glassfish;
    private final TCPNIOTransport transport;

    private Container(GlassFishRuntime runtime, GlassFish glassfish, TCPNIOTransport transport) {
        this.runtime = runtime;
        this.glassfish = glassfish;
        this.transport = transport;
    }

    /**
     * Boots the container; takes a second or more. It has no port then.
     *
     * @param settings threads, and what is spoken
     * @param folder an existing folder that it may unpack into
     * @throws GlassFishException when it does not start
     * @throws IOException when its configuration cannot be written there
     */
    static Container boot(ServerSettings settings, Path folder)
            throws GlassFishException, IOException {
        // An empty product name keeps the Server header out of the answers.
        System.setProperty("product.name", "");
        leaveAdaptersOut(folder);
        Path domain = new DomainFile(settings.httpThreads(), settings.http2()).writeTo(folder);
        GlassFishRuntime runtime = GlassFishRuntime.bootstrap();
        GlassFish glassfish = runtime.newGlassFish(properties(folder, domain));
        putDefaultWebXml(Path.of(System.getProperty("com.sun.aas.instanceRoot")));
        glassfish.start();
        return new Container(runtime, glassfish, ContainerPort.close(glassfish, LISTENER_NAME));
    }

    /**
     * Has the container find its adapters for JDBC and JMS in place: it would unpack 6 MB at each
     * start, and nothing here uses them.
     */
    private static void leaveAdaptersOut(Path folder) throws IOException {
        for (String adapter : ADAPTERS) {
            Files.createDirectories(folder.resolve("lib/install/applications").resolve(adapter));
        }
        System.setProperty("org.glassfish.embeddable.installRoot", folder.toString());
    }

    /** In the place of the container's own. */
    private static void putDefaultWebXml(Path instance) throws IOException {
        try (InputStream in = Container.class.getResourceAsStream(DEFAULT_WEB_XML)) {
            Files.copy(
                    Objects.requireNonNull(in, DEFAULT_WEB_XML),
                    instance.resolve("config").resolve(DEFAULT_WEB_XML),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static GlassFishProperties properties(Path folder, Path domain) {
        GlassFishProperties properties = new GlassFishProperties();
        properties.setProperty("-type", "EMBEDDED");
        properties.setProperty("glassfish.embedded.tmpdir", folder.toString());
        properties.setProperty(
                GlassFishProperties.CONFIG_FILE_URI_PROP_NAME, domain.toUri().toString());
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

    /** The transport of its listener, which has no port. */
    TCPNIOTransport transport() {
        return transport;
    }

    /**
     * Turns away what still comes, undeploys, then stops.
     *
     * @throws GlassFishException when the container does not stop
     */
    void stop() throws GlassFishException {
        ContainerPort.turnAway(transport);
        // Without the application this is refused, which is as good.
        glassfish.getCommandRunner().run("undeploy", APPLICATION);
        glassfish.stop();
        glassfish.dispose();
        runtime.shutdown();
    }
}
