package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.Json;
import jakarta.json.JsonObject;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.ReceivedSpan;
import org.lrwp.testkit.TraceCollector;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a collector of traces, the access log and the client are told of the same request. */
@Timeout(120)
class TracesIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final TraceCollector COLLECTOR = new TraceCollector();

    @TempDir static Path folder;

    private static ProxyProcess proxy;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(folder.resolve("busy.html"), "<b>{status} {reason}</b> {id} {trace}");
        proxy = ProxyProcess.start("traces", configuration("busy.html"));
    }

    private static Path configuration(String page) throws Exception {
        return Configuration.write(
                folder.resolve("traces.properties"),
                """
                traces.collector = %s
                traces.ratio = 1
                traces.delay = 20ms
                access-log.file = %s
                access-log.format = json
                context./dead.error-pages = 5xx %s
                ready-contexts = /dead
                """
                        .formatted(
                                COLLECTOR.url(),
                                folder.resolve("access.log"),
                                folder.resolve(page)));
    }

    @AfterAll
    static void stop() {
        proxy.close();
        COLLECTOR.close();
    }

    private static ReceivedSpan span(String path) throws Exception {
        for (int count = 1; ; count++) {
            Optional<ReceivedSpan> found =
                    COLLECTOR.await(count, SOON).stream()
                            .filter(span -> path.equals(span.attributes().get("url.path")))
                            .findFirst();
            if (found.isPresent()) {
                return found.orElseThrow();
            }
        }
    }

    private static JsonObject line(String path) throws Exception {
        Path log = folder.resolve("access.log");
        String named = "\"" + path + "\"";
        Wait.require(
                "a line for " + path,
                SOON,
                () -> Files.exists(log) && Files.readString(log).contains(named));
        String line =
                Files.readAllLines(log).stream()
                        .filter(one -> one.contains(named))
                        .findFirst()
                        .orElseThrow();
        return Json.createReader(new StringReader(line)).readObject();
    }

    private static FramePeer peer(String app) throws Exception {
        FramePeer peer = FramePeer.dial(proxy.lrwpPort()).open(app, "capacity=1", "started=1");
        peer.requireAlive();
        return peer;
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000 + time.getNano();
    }

    @Test
    void aRequestThatMovesIsOneSpanWithBothTriesInTheClientsTrace() throws Exception {
        long before = nanos(Instant.now());
        try (RawHttp client = RawHttp.to(proxy.httpPort());
                FramePeer first = peer("moved")) {
            client.request(
                    "GET",
                    "/moved/x?secret=1",
                    "traceparent: 00-" + TRACE + "-" + SPAN + "-01",
                    "tracestate: vendor=1");
            String parent = first.request("/x").env("HTTP_TRACEPARENT");
            try (FramePeer second = peer("moved")) {
                first.finish();
                StreamedRequest again = second.request("/x");
                second.started(again.stream());
                second.text(again.stream(), "moved");
                assertEquals("moved", client.answer().text());

                ReceivedSpan span = span("/moved/x");
                assertEquals(TRACE, span.trace());
                assertEquals(SPAN, span.parent());
                assertEquals("00-" + TRACE + "-" + span.id() + "-01", parent);
                assertEquals(parent, again.env("HTTP_TRACEPARENT"));
                assertEquals("vendor=1", again.env("HTTP_TRACESTATE"));
                requireEvents(span, before);
                assertEquals("1", span.attributes().get("lrwp.retries"));
                assertEquals("answered", span.attributes().get("lrwp.reason"));
                assertFalse(span.toString().contains("secret"), span.toString());

                JsonObject line = line("/moved/x?secret=1");
                assertEquals(TRACE, line.getString("trace"));
                assertEquals("anonymous", line.getString("identity"));
                assertEquals(span.attributes().get("lrwp.request"), line.getString("id"));
                int begun = line.getInt("first-byte-us");
                assertTrue(begun > 0 && begun <= line.getInt("total-us"), line.toString());
            }
        }
    }

    private static void requireEvents(ReceivedSpan span, long before) {
        assertEquals(
                List.of("queued", "sent", "retried", "sent", "started", "first-byte", "done"),
                span.eventNames());
        List<ReceivedSpan.Event> events = span.events();
        assertEquals("peer-gone", events.get(2).attributes().get("lrwp.reason"));
        String last = span.attributes().get("lrwp.peer");
        assertEquals(last, events.get(3).attributes().get("lrwp.peer"));
        assertNotEquals(last, events.get(1).attributes().get("lrwp.peer"));
        // The clocks of two processes of one machine may differ by the step of one of them.
        long time = before - Duration.ofMillis(50).toNanos();
        for (ReceivedSpan.Event event : events) {
            assertTrue(event.time() >= time, event + " is before " + time);
            time = event.time();
        }
        assertTrue(span.start() <= events.getFirst().time(), span.toString());
        assertTrue(span.end() >= time, span.toString());
        assertTrue(span.end() <= nanos(Instant.now()) + 50_000_000, span.toString());
    }

    @Test
    void anErrorOfTheProxyHasTheIdsInAPageOfOnesOwnAndOneOfAPeerStaysAsItIs() throws Exception {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            HttpAnswer error = client.get("/dead/page");
            ReceivedSpan span = span("/dead/page");

            assertEquals(503, error.status());
            assertEquals("text/html;charset=utf-8", error.value("Content-Type").orElseThrow());
            assertEquals(
                    "<b>503 no-peer</b> "
                            + error.value("X-Request-Id").orElseThrow()
                            + " "
                            + span.trace(),
                    error.text());
            assertTrue(span.failed());
            assertEquals("no-peer", span.attributes().get("error.type"));
            assertEquals("", span.parent());
        }
        try (RawHttp client = RawHttp.to(proxy.httpPort());
                FramePeer peer = peer("dead")) {
            client.request("GET", "/dead/peer");
            int stream = peer.request("/peer").stream();
            String answer = "Status: 503\r\n\r\nmine";
            peer.send(Frame.of(Frame.RESPONSE, stream, answer).ending());

            assertEquals("mine", client.answer().text());
        }
    }

    @Test
    void aPageIsReplacedWhileTheProxyRuns() throws Exception {
        Files.writeString(folder.resolve("other.html"), "other");
        configuration("other.html");

        Wait.require(
                "the other page",
                SOON,
                () -> {
                    try (RawHttp client = RawHttp.to(proxy.httpPort())) {
                        return client.get("/dead/again").text().equals("other");
                    }
                });
        configuration("busy.html");
        Wait.require(
                "the first page",
                SOON,
                () -> {
                    try (RawHttp client = RawHttp.to(proxy.httpPort())) {
                        return client.get("/dead/again").text().startsWith("<b>503");
                    }
                });
    }
}
