package org.lrwp.jetty;

import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A connector of a Jetty 12 server that dials in to a proxy instead of opening a port. Handlers,
 * servlets, web applications and Spring Boot run unchanged.
 *
 * <pre>{@code
 * server.addConnector(new LrwpConnector(
 *         server, LrwpPeer.builder().proxy("127.0.0.1:1081").context("/app").concurrency(64)));
 * }</pre>
 *
 * <p>Path. Requests keep the path that the client sent, so the context path of the web application
 * is the context of the peer.
 *
 * <p>Client. Remote address and scheme are the client's, also behind a proxy that the LRWP proxy
 * trusts: no forwarding customizer is needed. Host and port are those of the {@code Host} field, so
 * a proxy in front has to pass that on as the client sent it.
 *
 * <p>Bodies come when they are whole, or while they are sent ({@link PeerBuilder#stream}), never
 * faster than they are read. An answer waits for a client that takes it slowly. When the client
 * leaves or its time is up, reads and writes fail, as when a port of one's own loses a connection.
 *
 * <p>Threads. Requests run on the server's thread pool. Each request under way may need one, so the
 * pool should have more threads than the peer's concurrency.
 *
 * <p>Leaving. {@link #shutdown()} tells the proxy, which sends no more requests; it is done when
 * the last answer is there. {@link #stop()} does the same and waits, at most {@link
 * PeerBuilder#drainSeconds}.
 *
 * <p>WebSocket. With {@link PeerBuilder#upgrades} Jetty's WebSocket and others that go over to a
 * protocol of their own run as they do on a port.
 *
 * <p>Deadlines are the proxy's. {@link #setIdleTimeout} (0 = none, which it is at first) and {@link
 * HttpConfiguration#setIdleTimeout} set one more, as on a port: a read or write that waits longer
 * fails. WebSockets have Jetty's.
 *
 * <p>Interim answers (100, 103) and trailers end here: the protocol has none. Writing them succeeds
 * and has no effect. The proxy itself says 100 to a client that waits for it.
 */
public final class LrwpConnector extends AbstractConnector {
    private static final List<HeaderField> TEXT =
            List.of(new HeaderField("Content-Type", "text/plain; charset=utf-8"));

    private final PeerBuilder builder;
    private final HttpConfiguration configuration;
    private final HttpChannel.Factory channels = new HttpChannel.DefaultFactory();
    private final DialledConnection connection = new DialledConnection();
    private volatile @Nullable LrwpPeer peer;

    /**
     * Creates a connector with Jetty's usual configuration.
     *
     * @param server the server whose handlers answer
     * @param builder where it dials in, for which contexts and with which concurrency; its handler
     *     is set here
     */
    public LrwpConnector(Server server, PeerBuilder builder) {
        this(server, builder, new HttpConfiguration());
    }

    /**
     * Creates a connector.
     *
     * @param server the server whose handlers answer
     * @param builder where it dials in, for which contexts and with which concurrency; its handler
     *     is set here
     * @param configuration customizers, compliance and what else concerns requests; what concerns
     *     connections has no effect
     */
    public LrwpConnector(Server server, PeerBuilder builder, HttpConfiguration configuration) {
        super(server, null, null, null, 0, new HttpConnectionFactory(configuration));
        this.builder = builder;
        this.configuration = configuration;
        setName("lrwp");
        // What a port has by default is shorter than the proxy's deadlines.
        setIdleTimeout(0);
    }

    /**
     * Makes this the server's only connector.
     *
     * @param server the server
     * @param builder as of the constructor
     * @return the connector
     */
    public static LrwpConnector replace(Server server, PeerBuilder builder) {
        LrwpConnector connector = new LrwpConnector(server, builder);
        server.setConnectors(new Connector[] {connector});
        return connector;
    }

    /**
     * Returns the peer.
     *
     * @return null before the start
     */
    public @Nullable LrwpPeer peer() {
        return peer;
    }

    HttpConfiguration configuration() {
        return configuration;
    }

    DialledConnection connection() {
        return connection;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        peer = builder.exchangeHandler(this::handle).connect();
    }

    /** Leaves; the result is done when all that has begun is answered. */
    @Override
    public CompletableFuture<Void> shutdown() {
        LrwpPeer dialled = peer;
        CompletableFuture<Void> closed = super.shutdown();
        if (dialled == null) {
            return closed;
        }
        dialled.leave();
        return CompletableFuture.allOf(
                closed, CompletableFuture.runAsync(() -> awaitClosed(dialled), getExecutor()));
    }

    private static void awaitClosed(LrwpPeer dialled) {
        try {
            dialled.awaitClosed();
        } catch (InterruptedException e) {
            // The server does not wait any longer.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void doStop() throws Exception {
        LrwpPeer dialled = peer;
        if (dialled != null) {
            dialled.close();
        }
        super.doStop();
    }

    private void handle(PeerExchange exchange) {
        MetaData.Request request;
        try {
            request = RequestMetaData.of(exchange.request());
        } catch (IllegalArgumentException e) {
            byte[] text = "the path is not a URI".getBytes(StandardCharsets.UTF_8);
            exchange.answer(400, TEXT, ByteBuffer.wrap(text));
            return;
        }
        ExchangeMetaData client = new ExchangeMetaData(this, request, exchange);
        HttpChannel channel = channels.newHttpChannel(client);
        ExchangeStream stream = new ExchangeStream(exchange, channel, this, client.tunnel());
        channel.setHttpStream(stream);
        channel.initialize();
        stream.begin(request);
    }

    /** Returns the peer, which holds the connections to the proxy. */
    @Override
    public Object getTransport() {
        LrwpPeer dialled = peer;
        return dialled == null ? this : dialled;
    }

    @Override
    protected void accept(int acceptor) {
        throw new IllegalStateException("a peer dials in: nothing is accepted");
    }
}
