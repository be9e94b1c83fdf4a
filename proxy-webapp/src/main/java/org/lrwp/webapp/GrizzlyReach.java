package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.webapp.client.AddressCounts;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.config.AddressLimits;
import org.lrwp.webapp.config.ClientConfig;
import org.lrwp.webapp.config.HttpsConfig;
import org.lrwp.webapp.container.ClientTls;
import org.lrwp.webapp.container.ContainerTransport;
import org.lrwp.webapp.container.GrizzlyContainer;
import org.lrwp.webapp.container.Http2Watch;
import org.lrwp.webapp.container.OwnListener;
import org.lrwp.webapp.container.PeerTransports;
import org.lrwp.webapp.edge.Edge;
import org.lrwp.webapp.edge.EdgeRouter;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.https.HttpsEngines;
import org.lrwp.webapp.servlet.Container;
import org.lrwp.webapp.servlet.ProxyServlet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;

/**
 * What the application has of GlassFish below the Servlet API. No other class outside of the
 * packages {@code container} and {@code edge} names one of its classes, and elsewhere this one is
 * not used: so none of them is loaded where Grizzly is missing.
 */
public final class GrizzlyReach {
    private final @Nullable OwnListener listener;
    private final Edge edge = new Edge(InstantSource.system());
    private volatile @Nullable AddressCounts connections;
    private @Nullable ContainerTransport transport;

    /**
     * Creates it.
     *
     * @param listener of this JVM's own server; null for those of the container
     */
    public GrizzlyReach(@Nullable OwnListener listener) {
        this.listener = listener;
    }

    /** Opens the listener's selector threads for peers; own ones where they cannot be reached. */
    Transport transport(int threads, int refusalLines) throws IOException {
        edge.limitRefusalLines(refusalLines);
        OwnListener own = listener;
        Transport opened = own == null ? PeerTransports.open(threads, edge) : own.transport(edge);
        transport = opened instanceof ContainerTransport containers ? containers : null;
        return opened;
    }

    /**
     * Opens the port where clients speak HTTPS; the transport closes it.
     *
     * @throws IOException when it cannot be had
     */
    void openHttps(HttpsConfig config, HttpsEngines engines) throws IOException {
        ContainerTransport containers = transport;
        if (containers == null) {
            throw new IOException("the container's selectors cannot be reached");
        }
        var address = new InetSocketAddress(config.address(), config.port());
        containers.listenSecure(
                address, new ClientTls(engines::engine, engines::check, engines.turns()));
    }

    /** Finds the container, and limits what its clients may do. */
    Container container(String root, ClientSettings settings) {
        ClientConfig client = settings.config().client();
        AddressLimits limits = client.perAddress();
        AddressCounts counts = AddressCounts.of("connections", limits.connections(), limits);
        connections = counts;
        edge.limitConnections(counts);
        var http2 =
                new Http2Watch(
                        client.resets(),
                        () -> settings.config().stallTime(),
                        () -> settings.config().client().headTime(),
                        () -> settings.config().head(),
                        settings.clock(),
                        settings.stalls()::add);
        edge.guardHttp2(http2);
        return GrizzlyContainer.find(target -> ProxyServlet.safeTarget(root, target), http2);
    }

    /** Changes what one address may have open. */
    void limit(AddressLimits limits) {
        AddressCounts counts = connections;
        if (counts != null) {
            counts.limit(limits.connections(), limits.exempt());
        }
    }

    /** How TLS handshakes of clients have ended. */
    TlsHandshakes handshakes() {
        return edge.handshakes();
    }

    /** Has clients read before the container does. */
    void openEdge(EdgeRouter router) {
        edge.open(router);
    }

    /**
     * Gives what follows on all connections to the container. Our own server's answers what comes
     * until its end: it goes down with all connections.
     */
    void shutEdge() {
        if (listener == null) {
            edge.shut();
        }
    }

    /** Waits until there is a container, which may come after the listener. */
    void requireContainer() {
        OwnListener own = listener;
        try {
            if (own != null) {
                own.container().require();
            }
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Has files go past the container; null = no files from now on. */
    void sendFilesBy(@Nullable FileSenders senders) {
        edge.sendFilesBy(senders);
    }
}
