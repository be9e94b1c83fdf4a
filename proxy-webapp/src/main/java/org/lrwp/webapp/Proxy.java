package org.lrwp.webapp;

import jakarta.servlet.ServletContext;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.Cluster;
import org.lrwp.cluster.ClusterConfig;
import org.lrwp.cluster.News;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.transport.SocketConfig;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.operation.FileWatch;
import org.lrwp.runtime.operation.SecretFile;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.client.StallWatch;
import org.lrwp.webapp.config.AddressLimits;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.HttpsConfig;
import org.lrwp.webapp.config.PeersFile;
import org.lrwp.webapp.config.TracesConfig;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.operations.ProxyControl;
import org.lrwp.webapp.servlet.Container;
import org.lrwp.webapp.servlet.ProxyServlet;
import org.lrwp.webapp.traces.RequestFollower;
import org.lrwp.webapp.traces.TraceStatus;
import org.lrwp.webapp.traces.Traces;
import org.lrwp.webapp.traffic.Compressors;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Starts and stops everything. What is wrong with the configuration, or a port that is taken, ends
 * the start with one sentence.
 *
 * <p>In a container it starts with the web application. A server of its own starts it first, and
 * the container when that is needed, if ever: then the application enters what runs already.
 */
public final class Proxy implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Proxy.class.getName());

    private static final String SERVLET = "lrwp-proxy";

    /**
     * Those that run, of this class loader. GlassFish has one for all virtual servers that the
     * application is deployed to.
     */
    private static final Set<Proxy> COPIES = ConcurrentHashMap.newKeySet();

    /** That of this JVM's own server; null in a container that others run. */
    private static volatile @Nullable Proxy embedded;

    private final ClientSide clients;
    private final Compressors compressors = new Compressors();

    /** Whether it has started before the application came. */
    private volatile boolean ahead;

    private volatile boolean stopping;

    /** Null before the start. */
    private volatile @Nullable ProxyServlet servlet;

    /** Null before the start. */
    private volatile @Nullable Places places;

    private @Nullable Logs logs;
    private @Nullable OperatorSide operators;
    private @Nullable ProxyEngine engine;
    private @Nullable Modules modules;
    private @Nullable Cluster cluster;
    private @Nullable StallWatch stalls;
    private @Nullable Traces traces;
    private @Nullable ProxyControl control;
    private @Nullable FileWatch watch;
    private @Nullable FileWatch peersWatch;

    private Proxy(KnownContainer kind, @Nullable GrizzlyReach reach) {
        this.clients = new ClientSide(kind, reach);
    }

    /**
     * Creates the proxy of a server of its own.
     *
     * @param reach has the server's listener
     * @return one that has not started; the application that is deployed to the server's container
     *     enters it
     */
    public static Proxy embed(GrizzlyReach reach) {
        Proxy made = new Proxy(KnownContainer.GLASSFISH, reach);
        embedded = made;
        return made;
    }

    /** The one that an application belongs to: that of the server, else a new one. */
    static Proxy of(ServletContext context) {
        Proxy known = embedded;
        if (known != null) {
            return known;
        }
        KnownContainer kind = KnownContainer.of(context);
        return new Proxy(kind, kind == KnownContainer.GLASSFISH ? new GrizzlyReach(null) : null);
    }

    /**
     * Starts without an application: requests for peers are answered as soon as the server's
     * listener has a port. Blocks.
     *
     * @param classes has the modules
     * @param application folder of the web application that the container will get, so that it is
     *     not asked for what is not there; null when it will be there in any case
     * @throws StartException when it cannot start; nothing stays open
     * @throws IOException when the folder cannot be read
     */
    public void start(ClassLoader classes, @Nullable Path application) throws IOException {
        ahead = true;
        if (application != null) {
            clients.know(WebFiles.of(application));
        }
        guarded(() -> start("", classes, null));
    }

    /**
     * The application is there: it gets the servlet.
     *
     * @throws StartException when the proxy cannot start with it; nothing stays open
     */
    void enter(ServletContext context) {
        if (stopping) {
            throw new StartException("The proxy goes down.", null);
        }
        ProxyServlet running = servlet;
        Container found = clients.container();
        if (running != null && found != null) {
            found.add(context, SERVLET, running);
        } else {
            guarded(() -> start(context.getContextPath(), context.getClassLoader(), context));
            COPIES.add(this);
        }
    }

    /** The application goes. What the server has started stays until that stops. */
    void leave() {
        if (!ahead) {
            close();
        }
    }

    private void guarded(Runnable start) {
        try {
            start.run();
        } catch (StartException e) {
            throw failed(e);
        } catch (RuntimeException | Error e) {
            throw failed(new StartException("The proxy failed while it started: " + e, e));
        }
    }

    /**
     * Not every container ends an application that did not start: nothing stays open. Where it is
     * on several virtual servers, GlassFish ends the deployment as a whole: it closes the class
     * loader, and then ends the copies that have started. They would lack classes to close with,
     * and what they left in the container's listeners would close its ports.
     */
    private StartException failed(StartException why) {
        LOG.log(Level.ERROR, "proxy-not-started reason=\"{0}\"", why.getMessage());
        close();
        COPIES.forEach(Proxy::close);
        return why;
    }

    private void start(String root, ClassLoader classes, @Nullable ServletContext context) {
        String version = Version.read();
        ConfigReader.Opened opened = readConfig(version);
        Live<WebappConfig> live = opened.live();
        WebappConfig read = live.get();
        warn(read);
        Logs written = Logs.open(opened);
        logs = written;
        News news = read.cluster() == null ? null : News.of(read.cluster());
        Modules local = Modules.open(read.modules(), classes, news);
        modules = local;
        clients.startSenders(read);
        var seen = new OperatorSide(version, opened, written);
        operators = seen;
        ProxyEngine running = EngineStart.start(opened, clients, seen.requests(), seen.audit());
        engine = running;
        EngineStart.open(live, running);
        serve(local, opened, running, seen.audit());
        joinCluster(read, version, running, news);
        ClientSettings settings = clientSettings(seen, startTraces(live, version));
        var ids = new RequestIds(new SecureRandom().nextInt());
        OwnPages pages = seen.pages(shown(running, local), ids);
        control = control(root, version, running, live, written);
        Container found = clients.findContainer(root, settings);
        var made = new ProxyServlet(running, found, settings, pages, ids);
        servlet = made;
        if (context != null) {
            found.add(context, SERVLET, made);
        }
        boolean answers = clients.chooseFront(read, context == null ? "" : found.observer());
        if (!answers && ahead) {
            clients.requireContainer();
        }
        if (answers || read.strictHttp()) {
            clients.openEdge(root, answers, running, settings, pages, ids);
        }
        clients.openHttps(read.https());
        live.onChange(() -> change(live.get(), running, settings));
        seen.showContexts(root, running);
        watchFiles(opened, running);
        places = places(read, running);
        tellStarted(version, root, running.status(), answers);
    }

    private OperatorSide.Shown shown(ProxyEngine running, Modules local) {
        return new OperatorSide.Shown(
                running, local, cluster, compressors, this::traceStatus, clients::handshakes);
    }

    /** Modules get requests now, and come and go with the configuration. */
    private static void serve(
            Modules local, ConfigReader.Opened opened, ProxyEngine running, AuditTrail audit) {
        Live<WebappConfig> live = opened.live();
        local.serve(
                new ModuleSurroundings(
                        running,
                        audit,
                        () -> running.allow(EngineStart.access(opened)),
                        () -> live.get().drainTime()));
        live.onChange(() -> local.change(live.get().modules()));
    }

    private ProxyControl control(
            String root,
            String version,
            ProxyEngine running,
            Live<WebappConfig> live,
            Logs written) {
        return ProxyControl.register(
                root,
                version,
                running::status,
                () -> {
                    // When the container has taken the servlet away already nobody sends anything.
                    running.announce(stopping ? Duration.ZERO : live.get().drainNotice());
                    running.drain(live.get().drainTime());
                },
                written::reopen);
    }

    private static Places places(WebappConfig read, ProxyEngine running) {
        HttpsConfig https = read.https();
        SocketConfig socket = read.socket();
        return new Places(
                https == null ? null : new InetSocketAddress(https.address(), https.port()),
                running.agentAddress(),
                running.tlsAddress(),
                socket == null ? null : socket.path());
    }

    /**
     * Returns where it listens.
     *
     * @return null before its start
     */
    public @Nullable Places places() {
        return places;
    }

    private void tellStarted(String version, String root, EngineStatus status, boolean answers) {
        LOG.log(
                Level.INFO,
                "proxy-started version={0} root=\"{1}\" agent={2} transport=\"{3}\" front={4}"
                        + " container={5}",
                version,
                root,
                status.agentAddress(),
                status.transport().kind(),
                answers ? "edge" : "servlet",
                clients.kind());
    }

    /** Tells what is odd and does not stop the start. */
    private static void warn(WebappConfig config) {
        config.unknownVariables()
                .forEach(name -> LOG.log(Level.WARNING, "unknown-environment name={0}", name));
        Descriptors.check(config.engine());
        config.request().traffic().codings().forEach(Compressors::has);
    }

    private void joinCluster(
            WebappConfig config, String version, ProxyEngine running, @Nullable News news) {
        ClusterConfig node = config.cluster();
        if (node != null && news != null) {
            cluster = Cluster.join(node, running.cluster(), version, news);
        }
    }

    private TraceStatus traceStatus() {
        Traces started = traces;
        return started == null ? TraceStatus.NONE : started.status();
    }

    private void watchFiles(ConfigReader.Opened opened, ProxyEngine running) {
        watch = FileWatch.start(opened.configuration());
        PeersFile peers = opened.peers();
        if (peers != null) {
            peers.identities().onChange(() -> running.allow(EngineStart.access(opened)));
            peersWatch = FileWatch.start(peers.configuration());
        }
    }

    /** Takes a change to the parts that keep what they have been given. */
    private void change(WebappConfig now, ProxyEngine running, ClientSettings settings) {
        running.limit(now.engine());
        now.request().traffic().codings().forEach(Compressors::has);
        AddressLimits limits = now.request().client().perAddress();
        settings.inspector().use();
        settings.requests().limit(limits.requests(), limits.exempt());
        clients.limit(limits);
    }

    private RequestFollower startTraces(Live<WebappConfig> live, String version) {
        TracesConfig config = live.get().traces();
        if (config == null) {
            return RequestFollower.NOBODY;
        }
        byte[] token = secret("traces.token-file", config.tokenFile());
        Traces started =
                Traces.start(
                        () -> Objects.requireNonNull(live.get().traces(), "set at the start"),
                        head -> live.get().request().env().trusts(head),
                        version,
                        token == null ? "" : new String(token, StandardCharsets.US_ASCII));
        traces = started;
        return started;
    }

    private ClientSettings clientSettings(OperatorSide seen, RequestFollower follower) {
        var slow = new StallWatch();
        stalls = slow;
        return seen.clientSettings(slow, compressors, follower);
    }

    private static byte @Nullable [] secret(String key, @Nullable Path file) {
        try {
            return file == null ? null : SecretFile.read(key, file);
        } catch (BadConfigurationException e) {
            throw new StartException("The token cannot be read: " + e.getMessage(), null);
        }
    }

    private static ConfigReader.Opened readConfig(String version) {
        Properties properties = System.getProperties();
        Map<String, String> system = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> system.put(name, property(name)));
        String root = system.get("com.sun.aas.instanceRoot");
        try {
            return ConfigReader.open(
                    System.getenv(),
                    system,
                    root == null ? null : Path.of(root, "config"),
                    version);
        } catch (BadConfigurationException e) {
            int faults = e.faults().size();
            String many = faults == 1 ? "a fault: " : faults + " faults: ";
            throw new StartException("The configuration has " + many + e.getMessage(), null);
        }
    }

    private static String property(String name) {
        return System.getProperty(name, "");
    }

    /** Has what is in flight end, for the drain time at most, and refuses what is new. Blocks. */
    public void drain() {
        ProxyControl registered = control;
        if (registered != null) {
            Closing.quietly(registered::drain);
        }
    }

    /** Drains and stops; also what has started in part. Blocks. */
    @Override
    public void close() {
        stopping = true;
        COPIES.remove(this);
        Closing.quietly(watch);
        Closing.quietly(peersWatch);
        clients.shutEdge();
        drain();
        Closing.quietly(control);
        Closing.quietly(cluster);
        ProxyEngine running = engine;
        if (running != null) {
            Closing.quietly(running);
            LOG.log(Level.INFO, "proxy-stopped");
        }
        engine = null;
        control = null;
        Closing.quietly(modules);
        Closing.quietly(clients);
        Closing.quietly(stalls);
        Closing.quietly(operators);
        Closing.quietly(traces);
        Closing.quietly(logs);
    }
}
