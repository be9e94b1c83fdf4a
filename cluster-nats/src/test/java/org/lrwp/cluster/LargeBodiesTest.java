package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.testkit.wire.LogLines;

import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Bodies that are too large for a message: by HTTP, with a ticket, or not at all. */
class LargeBodiesTest {
    private static final int FLOOD = 400;
    private static final byte[] SECRET =
            "a secret of the nodes".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OTHER = "some secret of others".getBytes(StandardCharsets.US_ASCII);
    private static final String ANSWERS = "lrwp.v1.test.n.a.an.1.7";
    private static final List<HeaderField> PLAIN =
            List.of(new HeaderField("Content-Type", "text/plain"));

    private final MemoryHub hub = new MemoryHub();
    private final HttpClient client = HttpClient.newHttpClient();
    private TestNode a;
    private TestNode b;

    @BeforeEach
    void start() throws Exception {
        a = new TestNode(hub, "a", SECRET);
        b = new TestNode(hub, "b", SECRET);
    }

    @AfterEach
    void close() {
        client.close();
        a.close();
        b.close();
        hub.close();
    }

    private static byte[] body(int length) {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        return body;
    }

    private static CompletableFuture<byte[]> read(PeerExchange request) {
        var whole = new CompletableFuture<byte[]>();
        var read = ByteBuffer.allocate(5_000_000);
        request.listen(
                new ExchangeListener() {
                    @Override
                    public void onBody(ByteBuffer bytes) {
                        read.put(bytes);
                    }

                    @Override
                    public void onBodyEnd() {
                        byte[] all = new byte[read.flip().remaining()];
                        read.get(all);
                        whole.complete(all);
                    }
                });
        return whole;
    }

    private static void answer(PeerExchange request, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        request.answer(200, PLAIN, ByteBuffer.wrap(bytes));
    }

    private void requireArrives(int length) throws Exception {
        TestNode.Asked asked = a.ask("POST", body(length));
        PeerExchange request = b.request();
        assertEquals(length, request.request().bodyLength());
        byte[] got = read(request).get(20, TimeUnit.SECONDS);
        assertTrue(Arrays.equals(body(length), got), "another body of " + got.length);
        answer(request, "got it");
        assertEquals("200 got it", asked.answer());
    }

    @Test
    void largeBodyArrivesWholeAndItsAnswerComesBack() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        for (int length : List.of(TestNode.MOST_BODY + 1, 65_536, 3_000_000)) {
            a.hears("b", 1);
            requireArrives(length);
        }
        assertEquals(3, a.figure("sent"));
        assertEquals(3, a.figure("answered"));
    }

    @Test
    void nodeWithoutThePortGivesItBack() throws Exception {
        try (TestNode c = new TestNode(hub, "c")) {
            c.serving(1);
            TestNode.await("known", a::knows);
            TestNode.Asked asked = a.ask("POST", body(100_000));
            TestNode.await("refused", () -> c.figure("refused") > 0);
            b.serving(1);
            PeerExchange request = b.request();
            assertEquals(100_000, read(request).get(20, TimeUnit.SECONDS).length);
            answer(request, "b");
            assertEquals("200 b", asked.answer());
            assertEquals(0, c.untaken());
        }
    }

    @Test
    void slotThatIsGoneMeanwhileSendsItBackWithItsBody() throws Exception {
        b.serving(1);
        a.hears("b", 1);
        TestNode.Asked first = b.ask("POST");
        PeerExchange held = b.request();

        TestNode.Asked large = a.ask("POST", body(100_000));
        TestNode.await("it was sent, or stays", () -> a.figure("busy") > 0 || isFull("b"));
        answer(held, "first");
        assertEquals("200 first", first.answer());
        PeerExchange request = b.request();
        assertEquals(100_000, read(request).get(20, TimeUnit.SECONDS).length);
        answer(request, "large");
        assertEquals("200 large", large.answer());
    }

    private boolean isFull(String node) {
        ClusterStatus.Node known = a.node(node);
        return known != null && known.free() == 0;
    }

    // ---- Attacks.

    @Test
    void floodOfStrangersDoesNotFillTheLog() throws Exception {
        try (var log = new LogLines(Direct.class)) {
            for (int i = 0; i < FLOOD; i++) {
                assertEquals(403, post("Bearer x", 5));
            }
            List<String> lines = log.drain();
            assertTrue(!lines.isEmpty() && lines.size() < FLOOD / 2, lines::toString);
        }
    }

    /** A request that waits for its body at b. */
    private void announce(int length) throws Exception {
        byte[] environment = "REQUEST_ID=r\0\0".getBytes(StandardCharsets.US_ASCII);
        hub.forge(
                "b",
                new Message.Request(
                        "a",
                        1,
                        TestNode.CONTEXT,
                        "",
                        "r",
                        "POST",
                        "/osp/x",
                        "192.0.2.1",
                        ByteBuffer.wrap(environment),
                        ByteBuffer.allocate(0),
                        length),
                ANSWERS);
        hub.awaitHeard("b");
    }

    private Ticket ticket(int length) {
        long until = System.currentTimeMillis() + Ticket.TIME.toMillis();
        return new Ticket("a", "b", epochOfB(), ANSWERS, length, until);
    }

    private long epochOfB() {
        return b.status().nodes().getFirst().epoch();
    }

    private int post(String authorization, int length, String... more) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + b.place() + Direct.PATH))
                        .header("Authorization", authorization)
                        .POST(BodyPublishers.ofByteArray(body(length)));
        if (more.length > 0) {
            request.headers(more);
        }
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private int post(Ticket ticket, byte[] secret) throws Exception {
        return post("Lrwp-Ticket " + ticket.signed(secret), 5000);
    }

    @Test
    void onlyTheRightTicketLetsABodyInAndOnlyOnce() throws Exception {
        b.serving(1);
        a.hears("b", 1);
        announce(5000);
        Ticket right = ticket(5000);
        long epoch = right.epoch();
        long until = right.until();
        long past = System.currentTimeMillis() - 1;

        assertEquals(403, post(right, OTHER), "forged");
        assertEquals(403, post(new Ticket("a", "b", epoch, ANSWERS, 5000, past), SECRET));
        assertEquals(403, post(new Ticket("a", "c", epoch, ANSWERS, 5000, until), SECRET));
        assertEquals(403, post(new Ticket("c", "b", epoch, ANSWERS, 5000, until), SECRET));
        assertEquals(403, post(new Ticket("a", "b", epoch + 1, ANSWERS, 5000, until), SECRET));
        assertEquals(403, post(new Ticket("a", "b", epoch, ANSWERS + "1", 5000, until), SECRET));
        assertEquals(403, post(ticket(5001), SECRET));
        assertEquals(403, post("Bearer x", 5));
        String signed = "Lrwp-Ticket " + right.signed(SECRET);
        assertEquals(403, post(signed, 5000, "X-Forwarded-For", "192.0.2.1"));
        assertEquals(0, b.untaken());

        assertEquals(204, post(right, SECRET));
        PeerExchange only = b.request();
        assertEquals(5000, read(only).get(20, TimeUnit.SECONDS).length);
        assertEquals(403, post(right, SECRET), "replayed");
        answer(only, "once");
        TestNode.await("taken", () -> b.figure("taken") == 1);
        assertEquals(403, post(right, SECRET), "replayed later");
        assertEquals(0, b.untaken());
    }

    /** A connection to b's port that has sent so much. */
    private Socket dial(String sent) throws Exception {
        URI place = URI.create("http://" + b.place());
        var socket = new Socket(place.getHost(), place.getPort());
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Waits for the end of a connection; what has come by then. */
    private static String rest(Socket socket) throws Exception {
        try (socket) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (SocketException e) {
            return ""; // Reset.
        }
    }

    private static String head(String authorization, int length) {
        return "POST %s HTTP/1.1\r\nHost: b\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(Direct.PATH, authorization, length);
    }

    @Test
    void requestsThatDoNotComeToTheirEndAreClosed() throws Exception {
        Socket half = dial("POST /lrwp/body HTTP/1.1\r\nHost:");
        Socket refused = dial(head("Bearer x", 5000));
        Socket more = dial("x");
        TestNode.await("they have come", () -> b.bodyRequests() == 3);
        b.pass(Direct.REQUEST.plusSeconds(1));

        assertEquals("", rest(half));
        assertEquals("", rest(more));
        rest(refused);
        TestNode.await("their threads are free", () -> b.bodyRequests() == 0);
    }

    @Test
    void oneHalfRequestTooManyIsClosedAtOnce() throws Exception {
        List<Socket> half = new ArrayList<>();
        try {
            for (int i = 0; i < Direct.MOST_REQUESTS; i++) {
                half.add(dial("x"));
            }
            TestNode.await("all", () -> b.bodyRequests() == Direct.MOST_REQUESTS);
            assertEquals("", rest(dial("x")));
            TestNode.await("that one", () -> b.bodyRequests() == Direct.MOST_REQUESTS);
        } finally {
            for (Socket one : half) {
                one.close();
            }
        }
        TestNode.await("none", () -> b.bodyRequests() == 0);
    }

    @Test
    void bodyWhoseSenderIsSilentWaitsNoLongerThanItsRequest() throws Exception {
        b.serving(1);
        a.hears("b", 1);
        announce(5000);
        Socket silent = dial(head("Lrwp-Ticket " + ticket(5000).signed(SECRET), 5000) + "begins");
        TestNode.await("it has a ticket", () -> b.bodies() == 1);
        b.pass(Direct.REQUEST.plusSeconds(1));
        // It looks behind each of its heartbeats.
        int before = hub.beats("b");
        TestNode.await("it has looked", () -> hub.beats("b") >= before + 2);
        assertEquals(1, b.bodies(), "its exchange still waits");
        hub.forge("b", new Message.Cancel(ANSWERS));

        assertEquals("", rest(silent));
        TestNode.await("its thread is free", () -> b.bodies() == 0);
        assertEquals(List.of(), b.engine().status().exchanges());
    }

    @Test
    void bodyOfAnotherLengthNeverReachesAPeer() throws Exception {
        b.serving(1);
        a.hears("b", 1);
        announce(5000);
        assertEquals(400, post("Lrwp-Ticket " + ticket(5000).signed(SECRET), 4999));
        announce(5000);
        assertEquals(400, post("Lrwp-Ticket " + ticket(5000).signed(SECRET), 5001));
        assertEquals(0, b.untaken());
    }
}
