package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.files.FileFault;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.LaterPages;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.config.AddressLimits;
import org.lrwp.webapp.config.Front;
import org.lrwp.webapp.config.HttpsConfig;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.edge.EdgeRouter;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.https.HttpsEngines;
import org.lrwp.webapp.servlet.Container;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Where requests of clients come in: the edge or the servlet, HTTPS, and what the container has for
 * them. Started and closed by one thread at a time.
 */
final class ClientSide implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ClientSide.class.getName());

    private final KnownContainer kind;

    /** Null where there is the Servlet API alone. */
    private final @Nullable GrizzlyReach reach;

    /** What the container may have; a container that others run may have anything. */
    private Predicate<String> files = path -> true;

    private @Nullable FileSenders senders;
    private @Nullable Container container;
    private @Nullable LaterPages later;
    private @Nullable HttpsEngines https;

    /**
     * Nothing is open yet.
     *
     * @param reach null where there is the Servlet API alone
     */
    ClientSide(KnownContainer kind, @Nullable GrizzlyReach reach) {
        this.kind = kind;
        this.reach = reach;
    }

    KnownContainer kind() {
        return kind;
    }

    /** The container; null before it was looked for. */
    @Nullable Container container() {
        return container;
    }

    /** The container is asked for the files of a web application alone. */
    void know(WebFiles application) {
        files = application;
    }

    /** Files go past a container that can be reached. */
    void startSenders(WebappConfig config) {
        if (config.ownSelectors() || reach == null) {
            return;
        }
        try {
            FileSenders started = FileSenders.start(config.request().fileThreads());
            senders = started;
            reach.sendFilesBy(started);
        } catch (IOException e) {
            throw new StartException("The system gives no selectors: " + e.getMessage(), e);
        }
    }

    /**
     * The selectors for connections of peers.
     *
     * @throws IOException when the system gives none
     */
    Transport transport(WebappConfig config) throws IOException {
        int threads = config.engine().ioThreads();
        if (config.ownSelectors()) {
            return new SelectorTransport(threads);
        }
        return reach == null
                ? new SelectorTransport(threads, kind.name() + " keeps its selectors to itself")
                : reach.transport(threads, config.engine().agent().limits().refusalLines());
    }

    Container findContainer(String root, ClientSettings settings) {
        Container found = reach == null ? Container.PLAIN : reach.container(root, settings);
        container = found;
        return found;
    }

    /**
     * Says whether requests for peers are answered at the edge; if not, the servlet is there.
     *
     * @param observer who else in the container wants to see them; empty = nobody
     */
    boolean chooseFront(WebappConfig config, String observer) {
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
        return answers;
    }

    /** All requests are for the servlet: it has to be there before clients are. */
    void requireContainer() {
        if (reach != null) {
            reach.requireContainer();
        }
    }

    /**
     * Has the strict reader read what clients send.
     *
     * @param root context root of the application
     * @param answers whether requests for peers are answered at the edge
     */
    void openEdge(
            String root,
            boolean answers,
            ProxyEngine engine,
            ClientSettings settings,
            OwnPages pages,
            RequestIds ids) {
        Container found = container;
        if (reach != null && found != null) {
            var shown = new LaterPages(pages);
            later = shown;
            var place = new EdgeRouter.Place(root, answers, found::isOthers, files);
            reach.openEdge(new EdgeRouter(engine, place, settings, shown, ids));
        }
    }

    /**
     * Opens the port of clients that speak TLS.
     *
     * @param config null = there is none
     * @throws StartException when it cannot be had
     */
    void openHttps(@Nullable HttpsConfig config) {
        if (config == null) {
            return;
        }
        if (reach == null) {
            throw new StartException(
                    "https.port needs ./lrwp proxy or GlassFish, without agent.transport = own",
                    null);
        }
        HttpsEngines engines = openCertificate(config);
        https = engines;
        String address = config.address().getHostAddress();
        try {
            reach.openHttps(config, engines);
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
            throw new StartException("HTTPS cannot be spoken: " + fault(config, e), null);
        }
    }

    private static String fault(HttpsConfig config, IOException why) {
        Map<String, @Nullable Path> files = new LinkedHashMap<>();
        files.put("https.certificate", config.certificate());
        files.put("https.key", config.key());
        files.put("https.trust", config.trust());
        files.put("https.revoked", config.revoked());
        return FaultyFile.told(why, files).orElseGet(() -> FileFault.of(why));
    }

    /** Changes what one address may have open. */
    void limit(AddressLimits limits) {
        if (reach != null) {
            reach.limit(limits);
        }
    }

    /** How TLS handshakes of clients have ended; null where the container has them. */
    @Nullable TlsHandshakes handshakes() {
        return reach == null ? null : reach.handshakes();
    }

    /** Gives what clients send from now on to the container, before anything else ends. */
    void shutEdge() {
        if (reach != null) {
            reach.shutEdge();
        }
    }

    @Override
    public void close() {
        Closing.quietly(later);
        Closing.quietly(container);
        if (reach != null) {
            reach.sendFilesBy(null);
        }
        Closing.quietly(https);
        Closing.quietly(senders);
    }
}
