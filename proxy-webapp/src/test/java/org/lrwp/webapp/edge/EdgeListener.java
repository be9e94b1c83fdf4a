package org.lrwp.webapp.edge;

import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.tls.HandshakeTurns;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.client.AddressCounts;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.DateField;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.client.StallWatch;
import org.lrwp.webapp.config.AddressLimits;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.container.ClientTls;
import org.lrwp.webapp.container.ContainerListener;
import org.lrwp.webapp.container.ContainerTransport;
import org.lrwp.webapp.container.KeepAliveLimits;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.inspector.Inspector;
import org.lrwp.webapp.traces.RequestFollower;
import org.lrwp.webapp.traffic.ClientShares;
import org.lrwp.webapp.traffic.Compressors;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import javax.net.ssl.SSLException;

/**
 * Clients of a real HTTP listener whose requests are read before its filters: a peer answers /peer.
 */
@Timeout(30)
abstract class EdgeListener {
    private static final int SOON = 10_000;
    static final int MOST_REQUESTS = 5;
    static final int MOST_BODY = 800;
    static final String GET = "GET /peer HTTP/1.1\r\nHost: a\r\n\r\n";
    static final String DATE = "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n";

    private final HttpServer server = new HttpServer();
    private final NetworkListener http = new NetworkListener("http", "127.0.0.1", 0);
    final Edge edge = new Edge(InstantSource.system());
    private final StallWatch stalls = new StallWatch();

    /** Of clients that speak TLS: the socket below. */
    private final Map<Socket, Socket> carriers = new ConcurrentHashMap<>();

    FileSenders senders;
    final BlockingQueue<ExchangeRecord> log = new LinkedBlockingQueue<>();

    /** The time of what clients may ask. */
    final AtomicLong nanos = new AtomicLong();

    private volatile WebappConfig present;
    ProxyEngine engine;
    Inspector inspector;
    private ContainerTransport transport;
    private int port;
    private @Nullable ServingPeer opened;

    /** What happens before the container answers, on its thread. */
    volatile Consumer<Request> beforeAnswer = request -> {};

    /** The container: says what it was asked. */
    private final class Container extends HttpHandler {
        @Override
        public void service(Request request, Response response) throws IOException {
            beforeAnswer.accept(request);
            byte[] body = request.getInputStream().readAllBytes();
            String text = "container " + request.getRequestURI() + " " + body.length;
            response.setContentLength(text.length());
            response.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    @BeforeEach
    void start() throws Exception {
        http.getTransport().setSelectorRunnersCount(selectors());
        idleSeconds().ifPresent(http.getKeepAlive()::setIdleTimeoutInSeconds);
        if (encryption() == Encryption.OF_CONTAINER) {
            http.setSecure(true);
            http.setSSLEngineConfig(TestTls.shared().server());
        }
        server.addListener(http);
        server.getServerConfiguration().addHttpHandler(new Container());
        senders = FileSenders.start(1);
        edge.sendFilesBy(senders);
        transport = openTransport();
        WebappConfig config = read(Map.of());
        present = config;
        inspector = new Inspector(() -> present.request().traffic(), InstantSource.system());
        engine = ProxyEngine.start(config.engine(), this::ended, AuditTrail.NONE, transport);
        AddressLimits caps = config.request().client().perAddress();
        var date = new DateField(InstantSource.fixed(Instant.EPOCH));
        var settings =
                new ClientSettings(
                        () -> present.request(),
                        NanoClock.SYSTEM,
                        stalls,
                        date,
                        this::ended,
                        AddressCounts.of("requests", caps.requests(), caps),
                        new ClientShares(nanos::get),
                        new Compressors(),
                        inspector,
                        RequestFollower.NOBODY);
        edge.limitConnections(AddressCounts.of("connections", caps.connections(), caps));
        var place =
                new EdgeRouter.Place(
                        "",
                        answers(),
                        (_, _, path) -> path.startsWith("/other/"),
                        path -> !path.startsWith("/nothing"));
        edge.open(new EdgeRouter(engine, place, settings, this::page, new RequestIds(1)));
        port = encryption() == Encryption.OF_PROXY ? httpsPort() : httpPort();
    }

    private WebappConfig read(Map<String, String> changes) throws Exception {
        Map<String, String> system = new HashMap<>(settings());
        system.put("lrwp.agent.port", "0");
        system.put("lrwp.agent.lrwp1-settle", "0");
        system.put("lrwp.context.request-body", "" + MOST_BODY);
        system.putAll(changes);
        return ConfigReader.read(Map.of(), system, null, "1");
    }

    /** Changes what clients may do, while they do it. */
    void change(String key, String value) throws Exception {
        present = read(Map.of("lrwp." + key, value));
    }

    /** The container is there before its clients are. */
    ContainerTransport openTransport() throws IOException {
        server.start();
        var limits = new KeepAliveLimits(0, MOST_REQUESTS);
        var listener = new ContainerListener("http", http.getTransport(), limits, false, false);
        return new ContainerTransport(List.of(listener), List::of, edge);
    }

    /** Where clients come in without TLS of ours. */
    int httpPort() throws IOException {
        return http.getPort();
    }

    /** Starts the container without a port, and returns the transport of its listener. */
    TCPNIOTransport startLate() throws IOException {
        server.start();
        http.getTransport().unbindAll();
        return http.getTransport();
    }

    /** The proxy's own pages: what was asked comes back. */
    private OwnPages.Answer page(OwnPages.Question question) {
        String asked = new String(question.body(), StandardCharsets.ISO_8859_1);
        String text = "page " + question.path() + " " + asked;
        return question.path().equals("/-/missing")
                ? OwnPages.Answer.error(404)
                : OwnPages.Answer.of(200, "text/plain", text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void ended(ExchangeRecord record) {
        inspector.ended(record);
        log.add(record);
    }

    private int httpsPort() throws IOException {
        var anyFree = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return transport.listenSecure(anyFree, tls()).address().getPort();
    }

    /** Of clients of the proxy's HTTPS port. */
    ClientTls tls() {
        return new ClientTls(TestTls.shared()::engine, session -> {}, atOnce());
    }

    /** Handshakes do not wait for one another. */
    static HandshakeTurns atOnce() {
        return new HandshakeTurns(Thread::startVirtualThread, Integer.MAX_VALUE);
    }

    /** Takes the selectors away from peers and clients, before their exchanges are given up. */
    void closeTransport() {
        transport.close();
    }

    /** Attaches what another copy of the application would to the same listener. */
    Transport attachCopy(Edge own) {
        var limits = new KeepAliveLimits(0, MOST_REQUESTS);
        var listener = new ContainerListener("http", http.getTransport(), limits, false, false);
        return new ContainerTransport(List.of(listener), List::of, own);
    }

    /** How many threads serve clients and peers. */
    int selectors() {
        return 1;
    }

    /** How long the container lets a connection be silent, if it matters. */
    OptionalInt idleSeconds() {
        return OptionalInt.empty();
    }

    /** Whose TLS clients speak. */
    Encryption encryption() {
        return Encryption.NONE;
    }

    /** What is configured besides. */
    Map<String, String> settings() {
        return Map.of();
    }

    /** Whether requests for peers are answered at the edge. */
    boolean answers() {
        return true;
    }

    /** A peer that registers and then says nothing. */
    ScriptedPeer silentPeer() throws IOException {
        return ScriptedPeer.dial(engine.agentAddress().getPort()).register("peer");
    }

    ServingPeer answer(String head, String body) throws IOException {
        var peer =
                ServingPeer.saying(
                        engine.agentAddress().getPort(), "peer", head + "\r\n\r\n" + body);
        opened = peer;
        return peer;
    }

    @AfterEach
    void stop() throws Exception {
        ServingPeer peer = opened;
        if (peer != null) {
            peer.close();
        }
        engine.close();
        senders.close();
        stalls.close();
        server.shutdownNow();
    }

    Socket client() throws IOException {
        Socket socket = plainClient();
        if (encryption() == Encryption.NONE) {
            return socket;
        }
        Socket secure = TestTls.shared().over(socket);
        carriers.put(secure, socket);
        return secure;
    }

    /** Closes a client's connection so that the system sends a reset and nothing else. */
    void reset(Socket client) throws IOException {
        Socket carrier = carriers.getOrDefault(client, client);
        carrier.setSoLinger(true, 0);
        carrier.close();
    }

    /** A connection on which nothing has been said yet. */
    Socket plainClient() throws IOException {
        var socket = new Socket();
        socket.setSoTimeout(SOON);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads up to a text, and with it. */
    static String upTo(Socket client, String end) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int value = client.getInputStream().read();
            if (value < 0) {
                throw new IOException("ended behind " + text);
            }
            text.append((char) value);
        }
        return text.toString();
    }

    static boolean isClosed(Socket client) throws IOException {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketException | SSLException reset) {
            return true;
        }
    }

    /** All that is still to come, up to an end or a reset. */
    static String rest(Socket client) throws IOException {
        var text = new StringBuilder();
        try {
            int value = client.getInputStream().read();
            while (value >= 0) {
                text.append((char) value);
                value = client.getInputStream().read();
            }
        } catch (SocketException reset) {
            return text.toString();
        }
        return text.toString();
    }

    static String post(String path, String body) {
        return "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path, body.length(), body);
    }

    /** A round trip of somebody else, so that pieces do not arrive together. */
    void pause() throws IOException {
        try (Socket other = client()) {
            send(other, GET);
            upTo(other, "hello");
        }
    }
}
