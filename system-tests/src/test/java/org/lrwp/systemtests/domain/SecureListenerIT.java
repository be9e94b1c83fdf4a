package org.lrwp.systemtests.domain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.TrustAll;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The edge behind the TLS of a full domain's second listener. */
@Timeout(240)
final class SecureListenerIT {
    private static final String HTTPS =
            "configs.config.server-config.network-config.protocols.protocol.http-listener-2.http.";
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int LARGE = 3_000_000;

    @TempDir private static Path folder = Path.of("unset");
    private static final Semaphore HELD = new Semaphore(0);
    private static final Semaphore LEFT = new Semaphore(0);
    private static final Semaphore MORE = new Semaphore(0);
    private static GlassFishDomain domain;
    private static LrwpPeer peer;

    @BeforeAll
    static void startTheDomain() throws Exception {
        int port = FreePorts.one();
        domain =
                GlassFishDomain.start(
                        folder,
                        """
                        agent.port=%d
                        front=edge
                        access-log.file=%s
                        """
                                .formatted(port, log()));
        deploy("deploy");
        peer =
                LrwpPeer.builder()
                        .proxy("127.0.0.1:" + port)
                        .context("/peer")
                        .concurrency(4)
                        .upgrades("echo/1")
                        .handler(SecureListenerIT::answer)
                        .connect();
        assertTrue(peer.awaitRegistered(SOON));
    }

    @AfterAll
    static void stopTheDomain() throws Exception {
        peer.close();
        domain.stop();
    }

    private static Path log() {
        return folder.resolve("access.log");
    }

    private static void deploy(String how) throws Exception {
        try (Stream<Path> files = Files.list(Project.root().resolve("proxy-server/target"))) {
            Path war =
                    files.filter(file -> file.toString().endsWith(".war")).findAny().orElseThrow();
            domain.remote(how, "--contextroot", "/", "--name", "lrwp", war.toString())
                    .requireSuccess();
        }
    }

    private static PeerResponse answer(PeerRequest request) throws Exception {
        if (request.offers("echo/1")) {
            return PeerResponse.upgraded("echo/1", List.of(), SecureListenerIT::echo);
        }
        if ("/hold".equals(request.pathInfo())) {
            HELD.release();
            try {
                new CountDownLatch(1).await(1, TimeUnit.MINUTES);
            } finally {
                LEFT.release();
            }
        }
        byte[] body = request.body().readAllBytes();
        if ("/body".equals(request.pathInfo())) {
            return PeerResponse.of("application/octet-stream", body);
        }
        if ("/stream".equals(request.pathInfo())) {
            return PeerResponse.streamed(
                    "text/plain",
                    out -> {
                        out.write(body);
                        out.flush();
                        MORE.acquireUninterruptibly();
                        out.write(body);
                    });
        }
        String seen =
                String.join(
                        "|",
                        request.method(),
                        request.pathInfo(),
                        request.variable("HTTPS"),
                        request.variable("SERVER_SECURITY"),
                        request.variable("SERVER_HTTPS_PORT"),
                        request.variable("REMOTE_ADDR"),
                        request.variable("REMOTE_PORT"),
                        new String(body, StandardCharsets.US_ASCII));
        return PeerResponse.of("text/plain", seen.getBytes(StandardCharsets.US_ASCII));
    }

    private static void echo(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[8192];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            out.write(buffer, 0, count);
            out.flush();
        }
    }

    private static String seen(RawHttp http, String method, String path, String body) {
        return "%s|%s|on|SSL|%d|127.0.0.1|%d|%s"
                .formatted(method, path, domain.httpsPort(), http.wire().localPort(), body);
    }

    private static RawHttp https() throws IOException {
        return RawHttp.secure(domain.httpsPort());
    }

    /** Until a line of the access log has all of these texts. */
    private static void requireLogged(String... texts) throws Exception {
        Wait.require(
                "a line with " + String.join(" ", texts),
                SOON,
                () ->
                        Files.readAllLines(log()).stream()
                                .anyMatch(line -> Stream.of(texts).allMatch(line::contains)));
    }

    @Test
    void requestsOfAnyShapeAreAnsweredAtTheEdgeAndTheirClientsAreSecure() throws Exception {
        try (RawHttp http = https()) {
            assertEquals(seen(http, "GET", "/a b", ""), http.get("/peer/a%20b").text());
            http.post("/peer/post", Bytes.of("body"));
            assertEquals(seen(http, "POST", "/post", "body"), http.answer().text());
            http.send(http.head("POST", "/peer/chunks", "Transfer-Encoding: chunked"));
            http.send("3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n");
            assertEquals(seen(http, "POST", "/chunks", "abcdef"), http.answer().text());
            http.send(http.head("POST", "/peer/e", "Content-Length: 2", "Expect: 100-continue"));
            assertEquals("HTTP/1.1 100 Continue", http.line());
            http.send("ab");
            assertEquals("", http.line());
            assertEquals(seen(http, "POST", "/e", "ab"), http.answer().text());
        }
        requireLogged("/peer/a%20b", "way=edge");
        requireLogged("/peer/chunks", "way=edge");
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrderWhoeverAnswersThem() throws Exception {
        try (RawHttp http = https()) {
            String post = http.head("POST", "/peer/2", "Content-Length: 2") + "ab";
            http.send(http.head("GET", "/peer/1") + post + http.head("GET", "/nobody"));
            http.send(http.head("GET", "/") + http.head("GET", "/peer/3"));
            assertEquals(seen(http, "GET", "/1", ""), http.answer().text());
            assertEquals(seen(http, "POST", "/2", "ab"), http.answer().text());
            assertEquals(404, http.answer().status());
            assertTrue(http.answer().text().contains("<title>LRWP proxy</title>"));
            assertEquals(seen(http, "GET", "/3", ""), http.answer().text());
        }
    }

    @Test
    void largeBodiesGoBothWays() throws Exception {
        byte[] body = Bytes.random(LARGE, 7);
        try (RawHttp http = https()) {
            http.post("/peer/body", body);
            assertArrayEquals(body, http.answer().body());
            http.post("/nobody", body);
            assertEquals(404, http.answer().status());
            assertEquals(seen(http, "GET", "/x", ""), http.get("/peer/x").text());
        }
    }

    @Test
    void anOldClientReadsToTheEnd() throws Exception {
        try (RawHttp http = https()) {
            http.send("POST /peer/stream HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc");
            assertEquals("HTTP/1.1 200 OK", http.line());
            List<String> fields = new ArrayList<>();
            for (String line = http.line(); !line.isEmpty(); line = http.line()) {
                fields.add(line.toLowerCase(Locale.ROOT));
            }
            MORE.release();
            assertEquals("abcabc", new String(http.wire().readAll(), StandardCharsets.US_ASCII));
            assertTrue(fields.contains("connection: close"), fields.toString());
            assertTrue(
                    fields.stream().noneMatch(line -> line.startsWith("content-length")),
                    fields.toString());
        }
    }

    @Test
    void aBrokenRequestGetsOneErrorAndTheEnd() throws Exception {
        try (RawHttp http = https()) {
            http.send("GET /peer HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
            assertEquals(400, http.answer().status());
            assertEquals(End.FIN, http.end(SOON));
        }
    }

    @Test
    void anotherProtocolGoesThroughATunnel() throws Exception {
        try (RawHttp http = https()) {
            http.send(asking(http));
            assertEquals("HTTP/1.1 101 Switching Protocols", http.line());
            while (!http.line().isEmpty()) {
                // The fields of the 101.
            }
            byte[] sent = Bytes.random(100_000, 3);
            http.wire().send(sent);
            assertArrayEquals(sent, http.wire().read(sent.length));
        }
        requireLogged("/peer/tunnel", "101", "way=edge");
    }

    private static String asking(RawHttp http) {
        return http.head("GET", "/peer/tunnel", "Connection: Upgrade", "Upgrade: echo/1");
    }

    @Test
    void whoLeavesIsNoticedWithinASecond() throws Exception {
        try (RawHttp http = https()) {
            http.request("GET", "/peer/hold");
            assertTrue(HELD.tryAcquire(SOON.toSeconds(), TimeUnit.SECONDS));
        }
        assertTrue(LEFT.tryAcquire(SECOND.toMillis(), TimeUnit.MILLISECONDS));
        try (RawHttp http = https()) {
            http.request("GET", "/peer/hold?2");
            assertTrue(HELD.tryAcquire(SOON.toSeconds(), TimeUnit.SECONDS));
            http.wire().reset();
        }
        assertTrue(LEFT.tryAcquire(SECOND.toMillis(), TimeUnit.MILLISECONDS));
        requireLogged("/peer/hold?2", "client-gone", "way=edge");
    }

    @Test
    void javasClientSpeaksHttp1AtTheEdgeAndHttp2WithTheContainer() throws Exception {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            try (HttpClient client =
                    HttpClient.newBuilder()
                            .sslContext(TrustAll.context())
                            .version(version)
                            .build()) {
                String path = "/peer/by-" + version;
                URI uri = URI.create("https://127.0.0.1:" + domain.httpsPort() + path);
                for (int i = 0; i < 3; i++) {
                    HttpResponse<String> answer =
                            client.send(
                                    HttpRequest.newBuilder(uri)
                                            .POST(HttpRequest.BodyPublishers.ofString("b" + i))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString());
                    assertEquals(version, answer.version());
                    assertTrue(answer.body().contains("|on|SSL|"), answer.body());
                    assertTrue(answer.body().endsWith("|b" + i), answer.body());
                }
                boolean edge = version == HttpClient.Version.HTTP_1_1;
                requireLogged(path, edge ? "way=edge" : "way=servlet");
            }
        }
    }

    @Test
    void curlIsServed() throws Exception {
        Tools.require("curl");
        String printed =
                Tools.run(
                        folder,
                        SOON,
                        "",
                        List.of(
                                "curl",
                                "-sSk",
                                "--http1.1",
                                "https://127.0.0.1:" + domain.httpsPort() + "/peer/curl",
                                "https://127.0.0.1:" + domain.httpsPort() + "/",
                                "--data",
                                "form"));
        assertTrue(printed.startsWith("POST|/curl|on|SSL|"), printed);
    }

    /** Any change of its settings makes the container build the listener anew. */
    @Test
    void aListenerThatComesBackAndARedeployAreFollowed() throws Exception {
        domain.remote("set", HTTPS + "max-connections=200").requireSuccess();
        requireEdge("/peer/restarted");
        try (RawHttp open = https()) {
            assertEquals(200, open.get("/peer/before").status());
            deploy("redeploy");
            assertTrue(peer.awaitRegistered(SOON));
            requireEdge("/peer/redeployed");
            assertEquals(200, open.get("/peer/after").status());
        }
        // An older connection may be amid a request of the container's, and stays with it.
        requireLogged("/peer/after", "way=servlet");
    }

    /** A request of a new connection goes by the edge, soon. */
    private static void requireEdge(String path) throws Exception {
        Wait.require(
                path + " at the edge",
                SOON,
                () -> {
                    try (RawHttp http = https()) {
                        http.get(path);
                    } catch (IOException restarting) {
                        return false;
                    }
                    return Files.readAllLines(log()).stream()
                            .anyMatch(line -> line.contains(path) && line.contains("way=edge"));
                });
    }
}
