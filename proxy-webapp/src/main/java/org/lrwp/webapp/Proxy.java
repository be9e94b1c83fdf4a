package org.lrwp.webapp;

import jakarta.servlet.ServletContext;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheFileException;
import org.lrwp.cluster.Cluster;
import org.lrwp.cluster.ClusterConfig;
import org.lrwp.cluster.ClusterStatus;
import org.lrwp.cluster.News;
import org.lrwp.cluster.OtherNodes;
import org.lrwp.engine.EngineCommands;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.cache.CacheConfig;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.engine.transport.SocketConfig;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.tls.TlsConfig;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.metrics.MetricsText;
import org.lrwp.runtime.operation.FileWatch;
import org.lrwp.runtime.operation.Operators;
import org.lrwp.runtime.operation.SecretFile;
import org.lrwp.webapp.client.AddressCounts;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.DateField;
import org.lrwp.webapp.client.LaterPages;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.client.StallWatch;
import org.lrwp.webapp.config.AddressLimits;
import org.lrwp.webapp.config.AdminTokens;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.Front;
import org.lrwp.webapp.config.HttpsConfig;
import org.lrwp.webapp.config.PeersFile;
import org.lrwp.webapp.config.TracesConfig;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.console.Console;
import org.lrwp.webapp.console.Pages;
import org.lrwp.webapp.edge.EdgeRouter;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.https.HttpsEngines;
import org.lrwp.webapp.inspector.Inspector;
import org.lrwp.webapp.inspector.Repeats;
import org.lrwp.webapp.metrics.AuditMetrics;
import org.lrwp.webapp.metrics.ClusterCollector;
import org.lrwp.webapp.metrics.ProxyCollector;
import org.lrwp.webapp.metrics.RequestMetrics;
import org.lrwp.webapp.metrics.TlsCollector;
import org.lrwp.webapp.operations.AccessLog;
import org.lrwp.webapp.operations.AuditLog;
import org.lrwp.webapp.operations.ConfigurationStatus;
import org.lrwp.webapp.operations.ContextBeans;
import org.lrwp.webapp.operations.ContextTotals;
import org.lrwp.webapp.operations.LogStatus;
import org.lrwp.webapp.operations.OperationsPages;
import org.lrwp.webapp.operations.ProxyControl;
import org.lrwp.webapp.servlet.Container;
import org.lrwp.webapp.servlet.ProxyServlet;
import org.lrwp.webapp.steering.Api;
import org.lrwp.webapp.steering.ClusterSteering;
import org.lrwp.webapp.steering.OperatorAccess;
import org.lrwp.webapp.steering.RecentErrors;
import org.lrwp.webapp.steering.Sampler;
import org.lrwp.webapp.steering.Steering;
import org.lrwp.webapp.steering.Traffic;
import org.lrwp.webapp.steering.View;
import org.lrwp.webapp.traces.RequestFollower;
import org.lrwp.webapp.traces.TraceStatus;
import org.lrwp.webapp.traces.Traces;
import org.lrwp.webapp.traffic.ClientShares;
import org.lrwp.webapp.traffic.Compressors;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.function.Supplier;

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

    /** That of this JVM's own server; null in a container that others run. */
    private static volatile @Nullable Proxy embedded;

    private final KnownContainer kind;

    /** Null where there is the Servlet API alone. */
    private final @Nullable GrizzlyReach reach;

    /** Whether it has started before the application came. */
    private volatile boolean ahead;

    /** What the container may have; a container that others run may have anything. */
    private Predicate<String> files = path -> true;

    /** Null before the start. */
    private volatile @Nullable ProxyServlet servlet;

    private @Nullable AccessLog accessLog;
    private @Nullable AuditLog auditLog;
    private @Nullable ProxyEngine engine;
    private @Nullable StallWatch stalls;
    private @Nullable FileSenders senders;
    private @Nullable Container container;
    private @Nullable ProxyControl control;
    private @Nullable Modules modules;
    private @Nullable FileWatch watch;
    private @Nullable HttpsEngines https;
    private @Nullable Cluster cluster;
    private @Nullable FileWatch peersWatch;
    private @Nullable LaterPages later;
    private final RecentErrors errors = new RecentErrors(InstantSource.system());
    private final Traffic traffic = new Traffic(InstantSource.system());
    private final Compressors compressors = new Compressors();
    private volatile @Nullable Inspector inspector;
    private volatile boolean stopping;
    private @Nullable Sampler sampler;
    private @Nullable RequestMetrics counted;
    private @Nullable ContextBeans beans;
    private @Nullable Traces traces;

    private Proxy(KnownContainer kind, @Nullable GrizzlyReach reach) {
        this.kind = kind;
        this.reach = reach;
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
            files = WebFiles.of(application);
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
        Container found = container;
        if (running != null && found != null) {
            found.add(context, SERVLET, running);
        } else {
            guarded(() -> start(context.getContextPath(), context.getClassLoader(), context));
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

    /** Not every container ends an application that did not start: nothing stays open. */
    private StartException failed(StartException why) {
        LOG.log(Level.ERROR, "proxy-not-started reason=\"{0}\"", why.getMessage());
        close();
        return why;
    }

    private void start(String root, ClassLoader classes, @Nullable ServletContext context) {
        String version = Version.read();
        ConfigReader.Opened opened = readConfig(version);
        Live<WebappConfig> live = opened.live();
        WebappConfig read = live.get();
        warn(read);
        AccessLog log = openLog(read);
        accessLog = log;
        AuditLog audit = openAudit(opened);
        auditLog = audit;
        News news = read.cluster() == null ? null : News.of(read.cluster());
        Modules local = Modules.open(read.modules(), classes, news);
        modules = local;
        startSenders(read);
        var requests = new RequestMetrics(told(log), read.status().metricContexts());
        var events = new AuditMetrics(audit);
        ProxyEngine running = startEngine(opened, requests, events);
        engine = running;
        serve(local, opened, withCache(read, withSocket(read, withTls(read, running))), events);
        joinCluster(read, version, running, news);
        var slow = new StallWatch();
        stalls = slow;
        MetricsText metrics = metrics(version, requests, events, running, local);
        Inspector inspecting = startInspector(live);
        ClientSettings settings =
                clientSettings(live, slow, requests, inspecting, startTraces(live, version));
        var ids = new RequestIds(new SecureRandom().nextInt());
        var repeats = new Repeats(inspecting, running, () -> live.get().request(), ids);
        var view = view(version, opened, running, local, inspecting);
        var steering = steering(running.commands(), opened.configuration(), events, repeats);
        var status = pages(version, opened, running, local, metrics);
        OwnPages pages = ownPages(opened, view, steering, events, status);
        control = control(root, version, running, live);
        Container found = findContainer(root, settings);
        var made = new ProxyServlet(running, found, settings, pages, ids);
        servlet = made;
        if (context != null) {
            found.add(context, SERVLET, made);
        }
        boolean answers = chooseFront(read, context == null ? "" : found.observer());
        if (answers || read.strictHttp()) {
            openEdge(place(root, answers, found), settings, pages, ids);
        }
        openHttps(read.https());
        live.onChange(() -> change(live.get(), running, log, settings));
        live.onChange(() -> audit.use(live.get().auditLog()));
        showContexts(root, running, requests);
        watchFiles(opened, running);
        tellStarted(version, root, running.status(), answers);
    }

    private Steering steering(
            EngineCommands commands,
            Configuration configuration,
            AuditTrail audit,
            Repeats repeats) {
        return new Steering(
                commands,
                configuration,
                audit,
                repeats,
                new ClusterSteering(commands, this::otherNodes, audit));
    }

    /** Modules get requests now, and come and go with the configuration. */
    private static void serve(
            Modules local, ConfigReader.Opened opened, ProxyEngine running, AuditTrail audit) {
        Live<WebappConfig> live = opened.live();
        local.serve(
                new Modules.Surroundings(
                        running,
                        audit,
                        () -> running.allow(access(opened)),
                        () -> live.get().drainTime()));
        live.onChange(() -> local.change(live.get().modules()));
    }

    private ProxyControl control(
            String root, String version, ProxyEngine running, Live<WebappConfig> live) {
        return ProxyControl.register(
                root,
                version,
                running::status,
                () -> {
                    // When the container has taken the servlet away already nobody sends anything.
                    running.announce(stopping ? Duration.ZERO : live.get().drainNotice());
                    running.drain(live.get().drainTime());
                },
                this::reopenLogs);
    }

    private void showContexts(String root, ProxyEngine running, RequestMetrics requests) {
        counted = requests;
        Sampler looks = Sampler.start(traffic);
        sampler = looks;
        var shown =
                new ContextBeans(
                        root,
                        running::status,
                        requests,
                        requests.mostContexts(),
                        NanoClock.SYSTEM::nanos);
        beans = shown;
        looks.every(ContextBeans.STEP, shown::look);
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
                kind);
    }

    /** Who is told of the end of each request. */
    private ExchangeListener told(AccessLog log) {
        return ended -> {
            ended.details().trace().ended(ended);
            log.ended(ended);
            errors.ended(ended);
            traffic.ended(ended);
            Inspector inspecting = inspector;
            if (inspecting != null) {
                inspecting.ended(ended);
            }
        };
    }

    /** Tells what is odd and does not stop the start. */
    private static void warn(WebappConfig config) {
        config.unknownVariables()
                .forEach(name -> LOG.log(Level.WARNING, "unknown-environment name={0}", name));
        Descriptors.check(config.engine());
        config.request().traffic().codings().forEach(Compressors::has);
    }

    private OperationsPages pages(
            String version,
            ConfigReader.Opened opened,
            ProxyEngine running,
            Modules local,
            MetricsText metrics) {
        return new OperationsPages(
                () -> opened.live().get().status(),
                version,
                running::status,
                local::status,
                this::logStatus,
                () -> status(opened.configuration()),
                this::clusterStatus,
                accept -> page(metrics.write(accept)),
                this::totals);
    }

    private MetricsText metrics(
            String version,
            RequestMetrics requests,
            AuditMetrics events,
            ProxyEngine running,
            Modules local) {
        return new MetricsText(
                List.of(
                        new ProxyCollector(
                                version,
                                requests,
                                events,
                                running::status,
                                local::status,
                                this::logStatus,
                                this::traceStatus,
                                compressors),
                        new ClusterCollector(this::clusterStatus),
                        new TlsCollector(running::tlsHandshakes, this::clientHandshakes)));
    }

    private @Nullable TlsHandshakes clientHandshakes() {
        GrizzlyReach reached = reach;
        return reached == null ? null : reached.handshakes();
    }

    private @Nullable ContextTotals totals(String context) {
        RequestMetrics counting = counted;
        return counting == null ? null : counting.totals(context);
    }

    private LogStatus logStatus() {
        AccessLog access = accessLog;
        AuditLog audit = auditLog;
        return new LogStatus(
                access == null ? 0 : access.dropped(), audit == null ? 0 : audit.dropped());
    }

    private void joinCluster(
            WebappConfig config, String version, ProxyEngine running, @Nullable News news) {
        ClusterConfig node = config.cluster();
        if (node != null && news != null) {
            cluster = Cluster.join(node, running.cluster(), version, news);
        }
    }

    private OtherNodes otherNodes() {
        Cluster joined = cluster;
        return joined == null ? OtherNodes.NONE : joined;
    }

    private ClusterStatus clusterStatus() {
        Cluster joined = cluster;
        return joined == null ? ClusterStatus.OFF : joined.status();
    }

    private TraceStatus traceStatus() {
        Traces started = traces;
        return started == null ? TraceStatus.NONE : started.status();
    }

    /** What the configuration says of peers, with the identities of their own file. */
    private static AccessPolicy access(ConfigReader.Opened opened) {
        AccessPolicy without = opened.live().get().engine().agent().access();
        PeersFile peers = opened.peers();
        return peers == null ? without : without.with(peers.identities().get());
    }

    private static void warnOfPeers(AccessPolicy access) {
        if (!access.required()) {
            LOG.log(
                    Level.WARNING,
                    "peers-unidentified reason=\"agent.authentication is optional: whoever reaches"
                            + " the agent's port may register what belongs to nobody\"");
        } else if (access.identities().isEmpty() && access.secrets().isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "peers-refused reason=\"agent.authentication is required, and there are no"
                            + " identities: set agent.peers-file or secrets-file\"");
        }
    }

    private void watchFiles(ConfigReader.Opened opened, ProxyEngine running) {
        watch = FileWatch.start(opened.configuration());
        PeersFile peers = opened.peers();
        if (peers != null) {
            peers.identities().onChange(() -> running.allow(access(opened)));
            peersWatch = FileWatch.start(peers.configuration());
        }
    }

    /** Takes a change to the parts that keep what they have been given. */
    private void change(
            WebappConfig now, ProxyEngine running, AccessLog log, ClientSettings settings) {
        running.limit(now.engine());
        log.use(now.accessLog());
        now.request().traffic().codings().forEach(Compressors::has);
        AddressLimits limits = now.request().client().perAddress();
        settings.inspector().use();
        settings.requests().limit(limits.requests(), limits.exempt());
        GrizzlyReach reached = reach;
        if (reached != null) {
            reached.limit(limits);
        }
    }

    private static OperationsPages.Page page(MetricsText.Written written) {
        return new OperationsPages.Page(200, written.contentType(), written.text());
    }

    private static ConfigurationStatus status(Configuration configuration) {
        Path file = configuration.file();
        return new ConfigurationStatus(
                file == null ? "" : file.toString(),
                configuration.refusal(),
                configuration.waiting());
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

    private ClientSettings clientSettings(
            Live<WebappConfig> live,
            StallWatch watch,
            ExchangeListener log,
            Inspector inspecting,
            RequestFollower follower) {
        AddressLimits limits = live.get().request().client().perAddress();
        return new ClientSettings(
                () -> live.get().request(),
                NanoClock.SYSTEM,
                watch,
                new DateField(InstantSource.system()),
                log,
                AddressCounts.of("requests", limits.requests(), limits),
                new ClientShares(NanoClock.SYSTEM),
                compressors,
                inspecting,
                follower);
    }

    /** Files go past a container that can be reached. */
    private void startSenders(WebappConfig config) {
        GrizzlyReach reached = reach;
        if (config.ownSelectors() || reached == null) {
            return;
        }
        try {
            FileSenders started = FileSenders.start(config.request().fileThreads());
            senders = started;
            reached.sendFilesBy(started);
        } catch (IOException e) {
            throw new StartException("The system gives no selectors: " + e.getMessage(), e);
        }
    }

    private Container findContainer(String root, ClientSettings settings) {
        GrizzlyReach reached = reach;
        Container found = reached == null ? Container.PLAIN : reached.container(root, settings);
        container = found;
        return found;
    }

    /**
     * Says whether requests for peers are answered at the edge; if not, the servlet is there.
     *
     * @param observer who else in the container wants to see them; empty = nobody
     */
    private boolean chooseFront(WebappConfig config, String observer) {
        boolean reached = !config.ownSelectors() && reach != null;
        String reason =
                switch (config.front()) {
                    case SERVLET -> "front = servlet";
                    case EDGE -> "";
                    case AUTO -> reached ? observer : "own selectors";
                };
        boolean answers = reason.isEmpty() && reached;
        if (config.front() == Front.AUTO) {
            LOG.log(
                    Level.INFO,
                    "front-chosen front={0} reason=\"{1}\"",
                    answers ? "edge" : "servlet",
                    answers ? "nothing else wants to see requests for peers" : reason);
        }
        if (!answers && ahead) {
            requireContainer();
        }
        return answers;
    }

    /** All requests are for the servlet: it has to be there before clients are. */
    private void requireContainer() {
        GrizzlyReach reached = reach;
        if (reached != null) {
            reached.requireContainer();
        }
    }

    private EdgeRouter.Place place(String root, boolean answers, Container found) {
        return new EdgeRouter.Place(root, answers, found::isOthers, files);
    }

    private void openEdge(
            EdgeRouter.Place place, ClientSettings settings, OwnPages pages, RequestIds ids) {
        ProxyEngine running = engine;
        GrizzlyReach reached = reach;
        if (running != null && reached != null) {
            var shown = new LaterPages(pages);
            later = shown;
            reached.openEdge(new EdgeRouter(running, place, settings, shown, ids));
        }
    }

    private void openHttps(@Nullable HttpsConfig config) {
        if (config == null) {
            return;
        }
        GrizzlyReach reached = reach;
        if (reached == null) {
            throw new StartException(
                    "https.port needs ./lrwp proxy or GlassFish, without agent.transport = own",
                    null);
        }
        HttpsEngines engines = openCertificate(config);
        https = engines;
        String address = config.address().getHostAddress();
        try {
            reached.openHttps(config, engines);
        } catch (IOException e) {
            throw new StartException(
                    "The HTTPS port %d of %s cannot be had (%s): set https.port or https.address to another"
                            .formatted(config.port(), address, e.getMessage()),
                    null);
        }
        LOG.log(
                Level.INFO,
                "https-opened address={0} port={1}",
                address,
                Integer.toString(config.port()));
    }

    private static HttpsEngines openCertificate(HttpsConfig config) {
        try {
            return HttpsEngines.open(config, InstantSource.system());
        } catch (IOException e) {
            throw new StartException("HTTPS cannot be spoken: " + e.getMessage(), null);
        }
    }

    private Inspector startInspector(Live<WebappConfig> live) {
        var started = new Inspector(() -> live.get().request().traffic(), InstantSource.system());
        inspector = started;
        return started;
    }

    private View view(
            String version,
            ConfigReader.Opened opened,
            ProxyEngine running,
            Modules local,
            Inspector inspecting) {
        Instant start = Instant.now();
        return new View(
                version,
                () -> Duration.between(start, Instant.now()),
                running::status,
                local::status,
                opened.configuration(),
                errors,
                traffic,
                inspecting,
                this::clusterStatus);
    }

    private static OwnPages ownPages(
            ConfigReader.Opened opened,
            View view,
            Steering steering,
            AuditTrail audit,
            OperationsPages status) {
        var tokens =
                new Operators(
                        tokens(opened.live().get().admin().tokenFile()),
                        NanoClock.SYSTEM::nanos,
                        "admin.token-file");
        var operators =
                new OperatorAccess(tokens, () -> opened.live().get().admin().certificates());
        var api = new Api(view, steering, operators, audit);
        var console =
                new Console(
                        view,
                        steering,
                        operators,
                        audit,
                        () -> opened.live().get().admin().sessionTime());
        return new Pages(status, api, console);
    }

    private static List<Operators.Named> tokens(@Nullable Path file) {
        try {
            return file == null
                    ? List.of()
                    : AdminTokens.read("admin.token-file", file).entrySet().stream()
                            .map(one -> new Operators.Named(one.getKey(), one.getValue()))
                            .toList();
        } catch (BadConfigurationException e) {
            throw new StartException("The token cannot be read: " + e.getMessage(), null);
        }
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

    private static AccessLog openLog(WebappConfig config) {
        try {
            return AccessLog.start(config.accessLog(), InstantSource.system());
        } catch (IOException e) {
            throw new StartException(
                    "The access log cannot be written: access-log.file = %s, slow-log.file = %s: %s"
                            .formatted(
                                    config.accessLog().lines().file(),
                                    config.accessLog().slow().file(),
                                    e.getMessage()),
                    e);
        }
    }

    private static AuditLog openAudit(ConfigReader.Opened opened) {
        WebappConfig config = opened.live().get();
        var own = new AuditedConfiguration(opened.configuration(), "");
        PeersFile file = opened.peers();
        var peers = file == null ? null : new AuditedConfiguration(file.configuration(), "");
        Supplier<String> version =
                peers == null ? own::version : () -> own.version() + "." + peers.version();
        try {
            AuditLog audit = AuditLog.start(config.auditLog(), InstantSource.system(), version);
            own.follow(audit);
            if (peers != null) {
                peers.follow(audit);
            }
            return audit;
        } catch (IOException e) {
            throw new StartException(
                    "The audit log cannot be written: audit-log.file = "
                            + config.auditLog().lines().file()
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private void reopenLogs() {
        AccessLog access = accessLog;
        AuditLog audit = auditLog;
        if (access != null && audit != null) {
            access.reopen();
            audit.reopen();
        }
    }

    private ProxyEngine startEngine(
            ConfigReader.Opened opened, ExchangeListener log, AuditTrail audit) {
        WebappConfig config = opened.live().get();
        AccessPolicy access = access(opened);
        warnOfPeers(access);
        try {
            return ProxyEngine.start(config.engine().with(access), log, audit, transport(config));
        } catch (IOException e) {
            throw new StartException(
                    "The LRWP port "
                            + config.engine().agent().port()
                            + " of "
                            + config.engine().agent().address().getHostAddress()
                            + " cannot be had ("
                            + e.getMessage()
                            + "): set agent.port or agent.address to another",
                    null);
        }
    }

    private Transport transport(WebappConfig config) throws IOException {
        int threads = config.engine().ioThreads();
        GrizzlyReach reached = reach;
        if (config.ownSelectors()) {
            return new SelectorTransport(threads);
        }
        return reached == null
                ? new SelectorTransport(threads, kind.name() + " keeps its selectors to itself")
                : reached.transport(threads);
    }

    private static ProxyEngine withTls(WebappConfig config, ProxyEngine engine) {
        TlsConfig tls = config.tls();
        if (tls == null) {
            return engine;
        }
        try {
            engine.openTls(tls);
        } catch (IOException e) {
            throw new StartException(
                    "Peers cannot dial in inside TLS at "
                            + tls.address()
                            + " ("
                            + e.getMessage()
                            + "): set agent.tls.* to other files or another port",
                    null);
        }
        LOG.log(Level.INFO, "tls-listening address={0}", engine.tlsAddress());
        return engine;
    }

    private static ProxyEngine withSocket(WebappConfig config, ProxyEngine engine) {
        SocketConfig socket = config.socket();
        if (socket == null) {
            return engine;
        }
        try {
            engine.openSocket(socket);
        } catch (IOException | UnsupportedOperationException e) {
            throw new StartException(
                    "Peers cannot dial in by agent.socket = %s: %s"
                            .formatted(socket.path(), e.getMessage()),
                    null);
        }
        LOG.log(Level.INFO, "socket-listening path=\"{0}\"", socket.path());
        return engine;
    }

    private static ProxyEngine withCache(WebappConfig config, ProxyEngine engine) {
        CacheConfig cache = config.cache();
        try {
            if (cache != null) {
                engine.openCache(cache);
            }
            return engine;
        } catch (CacheFileException | IllegalArgumentException e) {
            throw new StartException("The response cache cannot start: " + e.getMessage(), null);
        }
    }

    /** Has what is in flight end, for the drain time at most, and refuses what is new. Blocks. */
    public void drain() {
        ProxyControl registered = control;
        if (registered != null) {
            end(registered::drain);
        }
    }

    /** Drains and stops; also what has started in part. Blocks. */
    @Override
    public void close() {
        stopping = true;
        end(watch);
        end(peersWatch);
        GrizzlyReach reached = reach;
        if (reached != null) {
            reached.shutEdge();
        }
        drain();
        end(control);
        end(cluster);
        ProxyEngine running = engine;
        if (running != null) {
            end(running);
            LOG.log(Level.INFO, "proxy-stopped");
        }
        engine = null;
        control = null;
        end(modules);
        end(later);
        end(container);
        if (reached != null) {
            reached.sendFilesBy(null);
        }
        end(https);
        end(senders);
        end(stalls);
        end(sampler);
        end(beans);
        end(traces);
        end(accessLog);
        end(auditLog);
    }

    /** What does not close keeps nothing else open. */
    private static void end(@Nullable AutoCloseable opened) {
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | LinkageError e) {
            LOG.log(Level.WARNING, "not-closed", e);
        }
    }
}
