package org.lrwp.systemtests.containers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.Inflater;

/** What a user expects of the proxy, in a container that gives it the Servlet API alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
abstract class ContainerCases {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int LARGE = 3_000_000;
    private static final int MANY = 150;
    private static final int GZIP_HEAD = 10;

    private final ContainerKind kind;
    @TempDir private static Path folder = Path.of("unset");
    private ContainerProcess container;

    ContainerCases(ContainerKind kind) {
        this.kind = kind;
    }

    private ContainerProcess start(String name, String root, Map<String, String> settings)
            throws Exception {
        return ContainerProcess.start(
                kind, root, Files.createTempDirectory(folder, name), settings);
    }

    @BeforeAll
    void startTheContainer() throws Exception {
        container =
                start(
                        "shared",
                        "/app",
                        Map.of(
                                "context.queue-time",
                                "1s",
                                "context.grace",
                                "1s",
                                "context./packed.compress",
                                "gzip"));
        assertTrue(container.output().contains(Orders.SERVED), container.output());
    }

    @AfterAll
    void stopTheContainer() {
        container.close();
    }

    private RawHttp client() throws IOException {
        return RawHttp.to(container.httpPort());
    }

    private ServingPeer echo(String app) throws IOException {
        return ServingPeer.echo(container.lrwpPort(), app);
    }

    @Test
    void requestsOnOneConnectionGoToTheirPeer() throws Exception {
        try (ServingPeer peer = echo("echo");
                RawHttp client = client()) {
            assertEquals("GET /a b\n", client.get("/app/echo/a%20b?x=1").text());
            client.post("/app/echo/in", Bytes.of("a body"));
            assertEquals("POST /in\na body", client.answer().text());
            client.send("PUT", "/app/echo/empty", new byte[0]);
            assertEquals("PUT /empty\n", client.answer().text());
            assertEquals("GET /last\n", client.get("/app/echo/last").text());

            assertEquals("/app/echo", peer.seen().getFirst().env("SCRIPT_NAME"));
            assertEquals("x=1", peer.seen().getFirst().env("QUERY_STRING"));
            assertEquals(4, peer.seen().size());
        }
    }

    @Test
    void largeBodiesPassBothWays() throws Exception {
        byte[] body = Bytes.random(LARGE, 41);
        try (ServingPeer peer =
                        new ServingPeer(
                                container.lrwpPort(),
                                "large",
                                request ->
                                        Bytes.join(
                                                Bytes.of("Content-Type: image/x\r\n\r\n"),
                                                request.body()));
                RawHttp client = client()) {
            client.post("/app/large/disk", body);
            assertArrayEquals(body, client.answer().body());
            assertEquals(1, peer.seen().size());
            assertEquals(200, client.get("/app/large/next").status());
        }
    }

    @Test
    void chunkedBodyComesWhole() throws Exception {
        try (ServingPeer peer = echo("chunks");
                RawHttp client = client()) {
            client.send(client.head("POST", "/app/chunks", "Transfer-Encoding: chunked"));
            client.send("3\r\nabc\r\n");
            client.send("4;x=y\r\ndefg\r\n");
            client.send("0\r\n\r\n");

            assertEquals("POST \nabcdefg", client.answer().text());
            assertEquals("7", peer.seen().getFirst().env("CONTENT_LENGTH"));
            assertEquals("GET /next\n", client.get("/app/chunks/next").text());
        }
    }

    @Test
    void streamedAnswerComesAsItIsMade() throws Exception {
        requireStreamed("stream", "text/event-stream");
    }

    @Test
    void streamedAnswerThatIsNotEncodedComesAsItIsMade() throws Exception {
        requireStreamed("packed", "text/plain");
        requireStreamed("packed", "image/x", "Accept-Encoding: gzip");
    }

    private void requireStreamed(String app, String type, String... lines) throws Exception {
        try (FramePeer peer = FramePeer.dial(container.lrwpPort()).open(app, "stream=1");
                RawHttp client = client()) {
            peer.requireAlive();
            client.request("GET", "/app/" + app + "/events", lines);
            StreamedRequest request = peer.request();
            peer.begin(request.stream(), "Content-Type: " + type + "\r\n\r\n");
            peer.data(request.stream(), "first");

            assertTrue(client.line().contains("200"));
            skipFields(client);
            assertEquals("first", chunk(client));
            peer.data(request.stream(), "second");
            assertEquals("second", chunk(client));
            peer.endData(request.stream());
            assertEquals("", chunk(client));
        }
    }

    @Test
    void streamedAnswerThatIsEncodedComesAsItIsMade() throws Exception {
        try (FramePeer peer = FramePeer.dial(container.lrwpPort()).open("packed", "stream=1");
                RawHttp client = client();
                Inflater plain = new Inflater(true)) {
            peer.requireAlive();
            client.request("GET", "/app/packed/events", "Accept-Encoding: gzip");
            StreamedRequest request = peer.request();
            peer.begin(request.stream(), "Content-Type: text/plain\r\n\r\n");
            peer.data(request.stream(), "first");
            assertTrue(client.line().contains("200"));
            skipFields(client);
            byte[] begin = bytesOfChunk(client);
            plain.setInput(begin, GZIP_HEAD, begin.length - GZIP_HEAD);
            assertEquals("first", inflated(client, plain));
            peer.data(request.stream(), "second");
            assertEquals("second", inflated(client, plain));
            peer.endData(request.stream());
        }
    }

    /** Reads chunks until there is something in them. */
    private static String inflated(RawHttp client, Inflater plain) throws Exception {
        byte[] text = new byte[100];
        int count = plain.inflate(text);
        while (count == 0) {
            plain.setInput(bytesOfChunk(client));
            count = plain.inflate(text);
        }
        return Bytes.text(Arrays.copyOf(text, count));
    }

    @Test
    void clientThatReadsNothingKeepsNobodyWaiting() throws Exception {
        byte[] body = Bytes.random(60_000, 43);
        try (ServingPeer large =
                        new ServingPeer(
                                container.lrwpPort(),
                                "unread",
                                request ->
                                        Bytes.join(
                                                Bytes.of("Content-Type: image/x\r\n\r\n"), body));
                ServingPeer echo = echo("others");
                RawHttp stuck = RawHttp.slowReader(container.httpPort())) {
            stuck.send(stuck.head("GET", "/app/unread/x").repeat(MANY));
            int since = 0;
            int seen = 0;
            while (seen == 0 || since < MANY) {
                // A container ends a connection after so many requests.
                try (RawHttp other = client()) {
                    assertEquals(200, other.get("/app/others/x").status());
                }
                since = seen == large.seen().size() ? since + 1 : 0;
                seen = large.seen().size();
            }
            assertTrue(seen < MANY, "all were answered");
            assertTrue(echo.isServing());
        }
    }

    private static void skipFields(RawHttp client) throws IOException {
        boolean more = true;
        while (more) {
            more = !client.line().isEmpty();
        }
    }

    /** A chunk as soon as it is there; Jetty sends the line end behind it with the next one. */
    private static String chunk(RawHttp client) throws IOException {
        return Bytes.text(bytesOfChunk(client));
    }

    private static byte[] bytesOfChunk(RawHttp client) throws IOException {
        String size = client.line();
        if (size.isEmpty()) {
            size = client.line();
        }
        return client.wire().read(Integer.parseInt(size, 16));
    }

    @Test
    void answerThatBreaksOffIsSeenToBeBroken() throws Exception {
        try (FramePeer peer = FramePeer.dial(container.lrwpPort()).open("broken", "stream=1");
                RawHttp client = client()) {
            peer.requireAlive();
            client.request("GET", "/app/broken/off");
            StreamedRequest request = peer.request();
            peer.begin(request.stream(), "Content-Type: text/plain\r\n\r\n");
            peer.data(request.stream(), "half");
            assertTrue(client.line().contains("200"));
            skipFields(client);
            assertEquals("half", chunk(client));
            peer.reset();

            assertThrows(IOException.class, () -> chunk(client));
        }
    }

    @Test
    void whatNoPeerServesIsTheContainers() throws Exception {
        try (RawHttp client = client()) {
            HttpAnswer page = client.get("/app/index.html");
            assertTrue(page.text().contains("<title>LRWP proxy</title>"), page::toString);
            assertTrue(client.get("/app/").text().contains("<title>LRWP proxy</title>"));
            String date = "If-Modified-Since: " + page.value("Last-Modified").orElseThrow();
            assertEquals(304, client.get("/app/index.html", date).status());
            HttpAnswer none = client.get("/app/nothing");
            assertEquals(404, none.status());
            assertTrue(none.text().startsWith("404 not-found: "), none::toString);
            assertEquals(404, client.get("/app/WEB-INF/web.xml").status());
            client.post("/app/nothing", Bytes.of("with a body"));
            assertTrue(List.of(404, 405).contains(client.answer().status()));
            assertEquals(404, client.get("/app/nothing").status());
        }
    }

    @Test
    void targetThatTheContainerHasMadeShorterIsAnswered() throws Exception {
        try (RawHttp client = client()) {
            assertEquals(404, client.get("/app/../app/nothing").status());
            client.post("/app/../app/nothing", Bytes.of("with a body"));
            HttpAnswer none = client.answer();
            assertTrue(List.of(404, 405).contains(none.status()), none::toString);
        }
    }

    @Test
    void statusPageTellsWhatRuns() throws Exception {
        try (ServingPeer peer = echo("shown")) {
            assertTrue(peer.isServing());
            HttpAnswer status = container.get("/app/-/status");
            assertEquals(200, status.status());
            assertTrue(status.text().contains("\"/shown\""), status::toString);
            assertTrue(status.text().contains("\"own\""), status::toString);
            assertEquals(200, container.get("/app/-/health/ready").status());
        }
    }

    @Test
    void peerThatGoesAwayIsAClearError() throws Exception {
        try (RawHttp client = client()) {
            try (ScriptedPeer peer = ScriptedPeer.dial(container.lrwpPort()).register("gone")) {
                client.post("/app/gone/once", Bytes.of("not twice"));
                peer.request();
            }

            HttpAnswer answer = client.answer();
            assertEquals(502, answer.status());
            assertTrue(answer.text().startsWith("502 peer-gone: "), answer::toString);
        }
    }

    @Test
    void requestThatWaitsTooLongIsAClearError() throws Exception {
        try (ScriptedPeer peer = ScriptedPeer.dial(container.lrwpPort()).register("busy");
                RawHttp first = client();
                RawHttp second = client()) {
            first.request("GET", "/app/busy/first");
            peer.request();

            HttpAnswer late = second.get("/app/busy/second");
            assertEquals(503, late.status());
            assertTrue(late.text().startsWith("503 waited-too-long: "), late::toString);
            assertEquals("1", late.value("Retry-After").orElseThrow());
            peer.text("done");
            assertEquals("done", first.answer().text());
        }
    }

    @Test
    void bodyAboveItsLimitIsRefused() throws Exception {
        try (ServingPeer peer = echo("limited");
                RawHttp client = client()) {
            client.send(client.head("POST", "/app/limited", "Content-Length: 1000000000"));
            assertEquals(413, client.answer().status());
            assertEquals(0, peer.seen().size());
        }
    }

    @Test
    void clientThatLeavesAmidItsBodyLeavesNothingBehind() throws Exception {
        try (ServingPeer peer = echo("left")) {
            try (RawHttp client = client()) {
                client.send(client.head("POST", "/app/left", "Content-Length: 100000"));
                client.send("only the beginning");
                Wait.require("it has arrived", SOON, () -> inFlight() == 1);
            }
            Wait.require("it is over", SOON, () -> inFlight() == 0);
            assertEquals(0, peer.seen().size());
        }
    }

    private int inFlight() throws IOException {
        String status = container.get("/app/-/status").text();
        int start = status.indexOf("\"inFlight\":") + "\"inFlight\":".length();
        return Integer.parseInt(status.substring(start, status.indexOf(',', start)).strip());
    }

    @Test
    void nothingThatNeedsGrizzlyIsLoaded() throws Exception {
        assertTrue(container.classes().contains("org.lrwp.webapp.ProxyApplication"));
        assertFalse(container.classes().contains("org.lrwp.webapp.container."));
        assertFalse(container.classes().contains("org.lrwp.webapp.GrizzlyReach"));
    }

    @Test
    void undeployFreesThePort() throws Exception {
        try (ContainerProcess own = start("undeployed", "", Map.of());
                ServingPeer peer = ServingPeer.echo(own.lrwpPort(), "echo")) {
            assertEquals("GET /x\n", own.get("/echo/x").text());

            own.undeploy();

            assertThrows(ConnectException.class, () -> ScriptedPeer.dial(own.lrwpPort()).close());
            Wait.require("the peer is let go", SOON, () -> !peer.isServing());
            assertEquals(404, own.get("/echo/x").status());
            assertTrue(own.output().contains("proxy-stopped"), own.output());
        }
    }

    @Test
    void applicationThatDoesNotStartLeavesNoPortOpen() throws Exception {
        try (ContainerProcess own =
                start("refused", "/app", Map.of("ready-contexts", "not a context"))) {
            assertTrue(own.output().contains(Orders.REFUSED), own.output());
            assertEquals(1, count(own.output(), "proxy-not-started"), own.output());
            assertThrows(ConnectException.class, () -> ScriptedPeer.dial(own.lrwpPort()).close());
        }
        try (ServerSocket taken = new ServerSocket(0);
                ContainerProcess own =
                        start(
                                "taken",
                                "/app",
                                Map.of(
                                        "module.m.type",
                                        "events",
                                        "module.m.admin-port",
                                        "" + taken.getLocalPort()))) {
            assertTrue(own.output().contains(Orders.REFUSED), own.output());
            assertThrows(ConnectException.class, () -> ScriptedPeer.dial(own.lrwpPort()).close());
        }
    }

    private static int count(String text, String word) {
        return text.split(word, -1).length - 1;
    }
}
