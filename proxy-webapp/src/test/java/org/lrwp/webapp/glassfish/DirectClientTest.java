package org.lrwp.webapp.glassfish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.Transport;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.servlet.ClientSettings;
import org.lrwp.webapp.servlet.DirectFront;
import org.lrwp.webapp.servlet.HttpDate;
import org.lrwp.webapp.servlet.ScriptedPeer;
import org.lrwp.webapp.servlet.StallWatch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** Clients of a real HTTP listener that are read before its filters: a peer answers /peer. */
@Timeout(30)
class DirectClientTest {
    private static final int SOON = 10_000;
    private static final int MOST_REQUESTS = 5;
    private static final String GET = "GET /peer HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String DATE = "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n";

    private final HttpServer server = new HttpServer();
    private final NetworkListener http = new NetworkListener("http", "127.0.0.1", 0);
    private final DirectClients clients = new DirectClients(InstantSource.system());
    private final StallWatch stalls = new StallWatch();
    private final BlockingQueue<ExchangeRecord> log = new LinkedBlockingQueue<>();
    private ProxyEngine engine;
    private Transport transport;
    private @Nullable ScriptedPeer opened;

    /** The container: says what it was asked. */
    private static final class Container extends HttpHandler {
        @Override
        public void service(Request request, Response response) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            String text = "container " + request.getRequestURI() + " " + body.length;
            response.setContentLength(text.length());
            response.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    @BeforeEach
    void start() throws Exception {
        http.getTransport().setSelectorRunnersCount(1);
        server.addListener(http);
        server.getServerConfiguration().addHttpHandler(new Container());
        server.start();
        var limits = new KeepAliveLimits(0, MOST_REQUESTS);
        var listener = new ContainerListener("http", http.getTransport(), limits);
        transport = new ContainerTransport(listener, () -> null, clients);
        var system = Map.of("lrwp.agent.port", "0", "lrwp.agent.lrwp1-settle", "0");
        WebappConfig config = ConfigReader.read(Map.of(), system, null, "1");
        engine = ProxyEngine.start(config.engine(), log::add, transport);
        var date = new HttpDate(InstantSource.fixed(Instant.EPOCH));
        var settings =
                new ClientSettings(config.request(), NanoClock.SYSTEM, stalls, date, log::add);
        clients.open(new DirectFront(engine, "", settings, new RequestIds(1)), 1000);
    }

    private ScriptedPeer answer(String head, String body) throws IOException {
        var peer =
                new ScriptedPeer(engine.agentAddress().getPort(), "peer", head + "\r\n\r\n" + body);
        opened = peer;
        return peer;
    }

    @AfterEach
    void stop() throws Exception {
        ScriptedPeer peer = opened;
        if (peer != null) {
            peer.close();
        }
        engine.close();
        stalls.close();
        server.shutdownNow();
    }

    private Socket client() throws IOException {
        var socket = new Socket();
        socket.setSoTimeout(SOON);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), http.getPort()));
        return socket;
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads up to a text, and with it. */
    private static String upTo(Socket client, String end) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int octet = client.getInputStream().read();
            if (octet < 0) {
                throw new IOException("ended behind " + text);
            }
            text.append((char) octet);
        }
        return text.toString();
    }

    private static boolean isClosed(Socket client) throws IOException {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static String post(String path, String body) {
        return "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path, body.length(), body);
    }

    @Test
    void theAnswerOfThePeerIsAllThatComes() throws Exception {
        ScriptedPeer peer = answer("Content-Type: text/plain\r\nX-A: 1\r\nX-A: 2", "hello");
        try (Socket client = client()) {
            for (int i = 0; i < 3; i++) {
                send(client, post("/peer/x?q", "body" + i));

                assertEquals(
                        "HTTP/1.1 200 OK\r\n"
                                + DATE
                                + "Content-Type: text/plain\r\n"
                                + "X-A: 1\r\n"
                                + "X-A: 2\r\n"
                                + "Content-Length: 5\r\n\r\n"
                                + "hello",
                        upTo(client, "hello"));
                String seen = peer.requests.take();
                assertTrue(seen.contains("PATH_INFO=/x") && seen.endsWith("body" + i), seen);
                assertEquals("/peer/x?q", log.take().target());
            }
        }
    }

    @Test
    void anErrorIsOneAnswerAndTheConnectionGoesOn() throws Exception {
        answer("no field", "");
        try (Socket client = client()) {
            for (int i = 0; i < 2; i++) {
                send(client, GET);
                String head = upTo(client, "\r\n\r\n");
                assertTrue(head.startsWith("HTTP/1.1 502 Bad Gateway\r\n" + DATE), head);
                assertFalse(head.contains("Connection:"), head);
                upTo(client, "\n");
            }
            send(client, "HEAD" + GET.substring(3));
            String head = upTo(client, "\r\n\r\n");
            assertTrue(head.contains("\r\nContent-Length: "), head);
            send(client, GET);
            assertTrue(upTo(client, "\r\n").startsWith("HTTP/1.1 502 "));
        }
    }

    @Test
    void headAndNoContentHaveNoBody() throws Exception {
        answer("Status: 204 None", "");
        try (Socket client = client()) {
            send(client, GET);
            assertEquals("HTTP/1.1 204 None\r\n" + DATE + "\r\n", upTo(client, "\r\n\r\n"));
            send(client, "HEAD" + GET.substring(3));
            assertEquals("HTTP/1.1 204 None\r\n" + DATE + "\r\n", upTo(client, "\r\n\r\n"));
        }
    }

    @Test
    void whoAsksForTheEndGetsIt() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, "GET /peer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertTrue(upTo(client, "hello").contains("\r\nConnection: close\r\n"));
            assertTrue(isClosed(client));
        }
    }

    @Test
    void anOldClientThatAsksForItStaysConnected() throws Exception {
        answer("Content-Type: text/plain", "hello");
        String get = "GET /peer HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
        try (Socket client = client()) {
            for (int i = 1; i < MOST_REQUESTS; i++) {
                send(client, get);
                assertEquals(
                        "HTTP/1.1 200 OK\r\n"
                                + DATE
                                + "Content-Type: text/plain\r\n"
                                + "Connection: keep-alive\r\n"
                                + "Content-Length: 5\r\n\r\n"
                                + "hello",
                        upTo(client, "hello"));
            }
            send(client, get);
            assertTrue(upTo(client, "hello").contains("\r\nConnection: close\r\n"));
            assertTrue(isClosed(client));
        }
    }

    @Test
    void anOldClientThatAsksForNothingIsLeft() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, "POST /peer HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc");
            String text = upTo(client, "hello");
            assertTrue(text.contains("\r\nConnection: close\r\nContent-Length: 5\r\n"), text);
            assertTrue(isClosed(client));
        }
    }

    @Test
    void theContainersLimitOfRequestsHolds() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            for (int i = 1; i < MOST_REQUESTS; i++) {
                send(client, GET);
                assertFalse(upTo(client, "hello").contains("Connection:"));
            }
            send(client, GET);
            assertTrue(upTo(client, "hello").contains("\r\nConnection: close\r\n"));
            assertTrue(isClosed(client));
        }
    }

    @Test
    void otherOctetsGoToTheContainerAndSoDoesTheRest() throws Exception {
        answer("X-A: 1", "hello");
        List<Supplier<String[]>> others =
                List.of(
                        () -> new String[] {post("/file", "abc"), "container /file 3"},
                        () -> new String[] {post("/-/peer", "abc"), "container /-/peer 3"},
                        () ->
                                new String[] {
                                    post("/peer", "x".repeat(1001)), "container /peer 1001"
                                },
                        () -> new String[] {GET + GET, "container /peer 0"},
                        () -> new String[] {post("/peer/%2e", "abc"), "container /peer/%2e 3"});
        for (Supplier<String[]> other : others) {
            try (Socket client = client()) {
                send(client, GET);
                assertTrue(upTo(client, "hello").endsWith("hello"));
                send(client, other.get()[0]);
                upTo(client, other.get()[1]);
            }
        }
    }

    @Test
    void aRequestInPiecesReachesTheContainerWhole() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            String text = post("/peer", "abc");
            send(client, text.substring(0, 20));
            try (Socket other = client()) {
                // A round trip, so that the pieces do not arrive together.
                send(other, GET);
                upTo(other, "hello");
            }
            send(client, text.substring(20) + post("/peer", "abcd"));
            upTo(client, "container /peer 3");
            upTo(client, "container /peer 4");
        }
    }

    @Test
    void connectionsGoToTheContainerWhenTheFrontIsShut() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, GET);
            upTo(client, "hello");
            clients.shut();
            send(client, GET);
            upTo(client, "container /peer 0");
            try (Socket next = client()) {
                send(next, GET);
                upTo(next, "container /peer 0");
            }
        }
    }

    @Test
    void aSlowReaderOfALongAnswerGetsAllOfIt() throws Exception {
        String body = "0123456789".repeat(800_000);
        answer("X-A: 1", body);
        try (Socket client = client();
                Socket other = client()) {
            send(client, GET);
            String head = upTo(client, "\r\n\r\n");
            assertTrue(head.contains("\r\nX-A: 1\r\n"), head);
            send(other, post("/file", ""));
            upTo(other, "container /file 0");
            byte[] octets = client.getInputStream().readNBytes(body.length());
            assertEquals(body, new String(octets, StandardCharsets.US_ASCII));
            send(client, "HEAD" + GET.substring(3));
            upTo(client, "\r\n\r\n");
        }
    }

    @Test
    void aClientThatHasLeftCostsNobodyElse() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, GET);
            client.setSoLinger(true, 0);
        }
        try (Socket next = client()) {
            send(next, GET);
            upTo(next, "hello");
        }
    }
}
