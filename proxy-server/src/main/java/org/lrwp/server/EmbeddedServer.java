package org.lrwp.server;

import org.glassfish.embeddable.GlassFishException;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.GrizzlyReach;
import org.lrwp.webapp.Places;
import org.lrwp.webapp.Proxy;
import org.lrwp.webapp.StartException;
import org.lrwp.webapp.container.OwnListener;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The proxy as one running thing: its temporary folder, its listener, the proxy itself and the
 * container, which starts when a request needs it.
 *
 * <pre>
 *   NEW -- start() --> BOOTING -- served --> SERVING -- close() --> CLOSED
 *                         \------- fault, or close() by a signal ------^
 * </pre>
 *
 * <p>{@link #close} may be called by any thread, more than once.
 */
final class EmbeddedServer implements AutoCloseable {
    /** Where this server differs from the web application's defaults: system properties. */
    static final Map<String, String> DEFAULTS = Map.of("lrwp-default.front", "auto");

    private enum State {
        NEW,
        BOOTING,
        SERVING,
        CLOSED
    }

    private static final System.Logger LOG = System.getLogger(EmbeddedServer.class.getName());

    /** How long a stop waits for a container that starts. */
    private static final Duration LONGEST_START = Duration.ofSeconds(20);

    private final ServerSettings settings;
    private final ServerLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.NEW;
    private volatile @Nullable InstanceRoot root;
    private volatile @Nullable OwnListener listener;
    private volatile @Nullable Proxy proxy;
    private volatile @Nullable Container container;

    EmbeddedServer(ServerSettings settings, ServerLog log) {
        this.settings = settings;
        this.log = log;
    }

    /**
     * Checks what can be checked, and starts.
     *
     * @return where it listens beside the HTTP port
     * @throws StartFault when something is wrong that the user can mend; everything is cleaned up
     */
    Places start() throws StartFault {
        if (!Files.exists(settings.war())) {
            throw new StartFault(
                    "the web application %s is missing: build it first".formatted(settings.war()));
        }
        AgentSettings configured = configured();
        Optional<Endpoint> agent = configured.endpoint(settings.lrwpPort());
        settings.http().requireFree();
        if (agent.isPresent()) {
            Endpoint lrwp = agent.get();
            settings.http().requireOther(lrwp);
            if (lrwp.port() != Endpoint.ANY_FREE_PORT) {
                lrwp.requireFree();
            }
        }
        requireHttps(configured, agent);
        enter(State.NEW, State.BOOTING);
        try {
            return boot();
        } catch (StartException e) {
            close();
            throw new StartFault("the proxy cannot start: " + reasonOr(e.getMessage()));
        } catch (IOException e) {
            close();
            throw new StartFault("the server did not start: " + reasonOr(e.getMessage()));
        } catch (StartFault | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** HTTPS has a port of its own, and files only with a port. */
    private void requireHttps(AgentSettings configured, Optional<Endpoint> agent)
            throws StartFault {
        OptionalInt port = configured.httpsPort();
        if (port.isEmpty()) {
            return;
        }
        if (port.getAsInt() == 0) {
            for (String file : List.of("certificate", "key")) {
                if (settings.values().containsKey("lrwp.https." + file)) {
                    throw new StartFault(
                            "--https-%s needs --https-port, or https.port of the configuration"
                                    .formatted(file));
                }
            }
            return;
        }
        Endpoint https =
                new Endpoint("HTTPS", "--https-port", settings.http().address(), port.getAsInt());
        settings.http().requireOther(https);
        if (agent.isPresent()) {
            agent.get().requireOther(https);
        }
    }

    /** Hands the command line's values to the web application, which reads system properties. */
    private AgentSettings configured() throws StartFault {
        if (settings.lrwpPort().isPresent()) {
            System.setProperty(
                    "lrwp." + AgentSettings.PORT, Integer.toString(settings.lrwpPort().getAsInt()));
        }
        DEFAULTS.forEach(System::setProperty);
        settings.values().forEach(System::setProperty);
        String config = System.getProperty("lrwp.config");
        var file = settings.config();
        if (file != null) {
            System.setProperty("lrwp.config", file.toAbsolutePath().toString());
        } else if (config != null) {
            file = Path.of(config);
        }
        return AgentSettings.read(file, System.getProperties(), System.getenv());
    }

    private Places boot() throws IOException, StartFault {
        InstanceRoot made = InstanceRoot.under(settings.temporary());
        root = made;
        RequestObjects.keepMore();
        OwnListener own =
                OwnListener.start(
                        settings.httpThreads(),
                        settings.http2(),
                        () -> bootContainer(made.folder()));
        listener = own;
        Proxy started = Proxy.embed(new GrizzlyReach(own));
        proxy = started;
        if (settings.isShipped()) {
            started.start(
                    EmbeddedServer.class.getClassLoader(),
                    settings.isContainerNeeded() ? null : settings.war());
        }
        if (settings.isContainerNeeded()) {
            requireContainer(own);
        }
        WarmUp.run(settings.warmUp());
        Endpoint http = settings.http();
        own.open(new InetSocketAddress(InetAddress.getByName(http.address()), http.port()));
        Places places = started.places();
        if (places == null) {
            throw new StartFault("the web application %s has no proxy".formatted(settings.war()));
        }
        enter(State.BOOTING, State.SERVING);
        log.serverIsReady();
        return places;
    }

    private void requireContainer(OwnListener own) throws StartFault {
        try {
            own.container().require();
        } catch (IOException e) {
            throw new StartFault("the proxy cannot start: " + reasonOr(e.getMessage()));
        }
    }

    /** In a thread of its own, when a request needs it or before the first. */
    private TCPNIOTransport bootContainer(Path folder) throws IOException, GlassFishException {
        Container booted = Container.boot(settings, folder);
        if (!booted.deploy(settings.war())) {
            booted.stop();
            throw new IOException("the application was not deployed");
        }
        container = booted;
        return booted.transport();
    }

    private String reasonOr(@Nullable String otherwise) {
        return log.startWatch()
                .reason()
                .orElse(otherwise == null ? "the log file has the reason" : otherwise)
                .strip()
                .replaceAll("[;,]?\\R\\s*", "; ");
    }

    private void enter(State from, State to) throws StartFault {
        lock.lock();
        try {
            if (state != from) {
                throw new StartFault("the server was stopped while it started");
            }
            state = to;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has the application end what it has begun, for its drain time at most, and turn everything
     * else away. Nothing happens unless the server serves.
     */
    void drain() {
        State now;
        lock.lock();
        try {
            now = state;
        } finally {
            lock.unlock();
        }
        Proxy running = proxy;
        if (now == State.SERVING && running != null) {
            running.drain();
        }
    }

    /**
     * Stops in order: the port closes, the proxy drains, the container stops, the temporary folder
     * goes.
     */
    @Override
    public void close() {
        State before;
        lock.lock();
        try {
            before = state;
            state = State.CLOSED;
        } finally {
            lock.unlock();
        }
        if (before == State.CLOSED || before == State.NEW) {
            return;
        }
        long begin = System.nanoTime();
        if (before == State.SERVING) {
            LOG.log(Level.INFO, "server-stopping");
        }
        OwnListener own = listener;
        if (own != null) {
            own.shut();
        }
        Proxy running = proxy;
        if (running != null) {
            running.close();
        }
        if (own != null) {
            stopContainer(own);
            own.close();
        }
        InstanceRoot made = root;
        if (made != null) {
            made.close();
        }
        if (before == State.SERVING) {
            long taken = Duration.ofNanos(System.nanoTime() - begin).toMillis();
            LOG.log(Level.INFO, "server-stopped milliseconds={0,number,#}", taken);
        }
    }

    /** One that still starts does so first: it cannot be stopped amid that. */
    private void stopContainer(OwnListener own) {
        try {
            own.container().settle(LONGEST_START);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Container booted = container;
        if (booted != null) {
            try {
                booted.stop();
            } catch (GlassFishException | RuntimeException e) {
                LOG.log(Level.WARNING, "container-stop-failed", e);
            }
        }
    }
}
