package org.lrwp.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.testkit.Figures.figure;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.events.access.Action;
import org.lrwp.events.access.SignedUrl;
import org.lrwp.events.testkit.Settings;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.MonitoredMetrics;
import org.lrwp.testkit.RecordedExchange;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** The module as its clients see it, with its own threads and clock. */
class EventsModuleTest {
    @TempDir Path folder;
    private final List<PeerModule> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(PeerModule::close);
    }

    private PeerModule module(String... settings) throws BadConfigurationException {
        PeerModule module =
                new EventsProvider()
                        .open(new ModuleSetup("events", List.of("/events"), Settings.of(settings)));
        open.add(module);
        return module;
    }

    private static Head stream(String target) {
        return Head.get(target).with("Accept", "text/event-stream");
    }

    private static Head lines(String target) {
        return Head.get(target).with("Accept", "application/x-ndjson");
    }

    private static RecordedExchange begin(PeerModule module, Head head) throws Exception {
        RecordedExchange client = new RecordedExchange(head);
        module.handler().handle(client);
        return client;
    }

    private static RecordedExchange post(PeerModule module, Head head, String body)
            throws Exception {
        RecordedExchange exchange = begin(module, head).send(body);
        exchange.awaitEnd();
        return exchange;
    }

    private static String publish(PeerModule module, String target, String body) throws Exception {
        RecordedExchange client = post(module, Head.of("POST", target), body);
        assertEquals(201, client.status(), client.text());
        String id = client.text().replaceAll("\\{\"id\":\"([0-9.]+)\"}\n", "$1");
        assertEquals(id, client.header("Last-Event-ID"));
        return id;
    }

    private String file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file.toString();
    }

    @Test
    void boardAndAlertsAskForMetricsThatAreThere() throws Exception {
        MonitoredMetrics.check("events", module());
    }

    @Test
    void publishedEventReachesWhoeverWaits() throws Exception {
        PeerModule module = module();
        RecordedExchange poll = begin(module, Head.get("/a"));
        RecordedExchange stream = begin(module, stream("/b,a"));
        RecordedExchange lines = begin(module, lines("/a"));

        String id = publish(module, "/a", "h\u00e9llo");

        poll.awaitEnd();
        assertEquals("[{\"id\":\"" + id + "\",\"data\":\"h\u00e9llo\"}]\n", poll.text());
        assertEquals("application/json; charset=utf-8", poll.header("Content-Type"));
        assertEquals("no-store", poll.header("Cache-Control"));
        assertEquals("no", poll.header("X-Accel-Buffering"));
        stream.await(one -> one.text().endsWith("id: " + id + "\nevent: a\ndata: h\u00e9llo\n\n"));
        assertEquals("text/event-stream; charset=utf-8", stream.header("Content-Type"));
        lines.await(one -> one.text().contains(id));
        assertEquals("application/x-ndjson; charset=utf-8", lines.header("Content-Type"));
        assertEquals(2, figure(module, "streams"));
        assertEquals(0, figure(module, "polls"));
        assertEquals(3L, figure(module, "delivered"));
    }

    @Test
    void threeThousandPollsGetEachEventOnce() throws Exception {
        PeerModule module = module();
        List<RecordedExchange> clients = new ArrayList<>();
        String since = "latest";
        for (int round = 0; round < 3; round++) {
            clients.clear();
            for (int i = 0; i < 3000; i++) {
                clients.add(begin(module, Head.get("/a?since=" + since)));
            }
            String id = publish(module, "/a", "tick " + round);
            for (RecordedExchange client : clients) {
                client.awaitEnd();
                assertEquals(
                        "[{\"id\":\"" + id + "\",\"data\":\"tick " + round + "\"}]\n",
                        client.text());
            }
            since = id;
        }
    }

    @Test
    void whoComesBackGoesOnWhereItWas() throws Exception {
        PeerModule module = module();
        String first = publish(module, "/a", "1");
        String second = publish(module, "/a", "2");

        RecordedExchange resumed =
                begin(module, Head.get("/a?since=oldest").with("Last-Event-ID", first));
        RecordedExchange oldest = begin(module, Head.get("/a?since=oldest"));
        RecordedExchange unknown = begin(module, Head.get("/a?since=17.4"));
        RecordedExchange none = begin(module, Head.get("/a?since=" + second + "&timeout=0"));

        assertEquals("[{\"id\":\"" + second + "\",\"data\":\"2\"}]\n", resumed.text());
        assertEquals(2, oldest.text().lines().count());
        assertTrue(unknown.text().contains("\"gap\":\"17.4\""), unknown.text());
        none.awaitEnd();
        assertEquals(204, none.status());
        assertEquals(second, none.header("Last-Event-ID"));
        assertNull(none.header("Content-Type"));
    }

    @Test
    void jsonIsPassedOnAndWhatIsNoneIsRefused() throws Exception {
        PeerModule module = module();
        Head json = Head.of("POST", "/a").with("Content-Type", "application/json");
        post(module, json, "{ \"n\" :\n 1 }");

        assertTrue(
                begin(module, Head.get("/a?since=oldest")).text().contains("\"data\":{\"n\":1}}"));
        RecordedExchange bad = post(module, json, "{n:1}");
        assertEquals(400, bad.status());
        assertEquals("the event is not JSON at character 2\n", bad.text());
        byte[] noText = {(byte) 0xFF, (byte) 0xFE};
        RecordedExchange binary = begin(module, Head.of("POST", "/a")).send(noText);
        assertEquals(400, binary.status());
    }

    @Test
    void repetitionWithTheSameKeyPublishesNothing() throws Exception {
        PeerModule module = module();
        Head head = Head.of("POST", "/a").with("Idempotency-Key", "k");
        RecordedExchange first = post(module, head, "x");
        RecordedExchange again = post(module, head, "x");
        RecordedExchange other = post(module, head, "y");

        assertEquals(first.text(), again.text());
        assertEquals(201, again.status());
        assertEquals(422, other.status());
        assertEquals(1L, figure(module, "published"));
        Head longKey = Head.of("POST", "/a").with("Idempotency-Key", "k".repeat(201));
        assertEquals(400, post(module, longKey, "x").status());
    }

    @Test
    void badRequestsGetOneClearAnswer() throws Exception {
        PeerModule module = module("event-size=10", "channels-per-request=2", "demo=false");

        assertEquals(404, begin(module, Head.get("")).status());
        assertEquals(404, begin(module, Head.get("/")).status());
        assertEquals(400, begin(module, Head.get("/a/b")).status());
        assertEquals(400, begin(module, Head.get("/a,b,c")).status());
        assertEquals(400, begin(module, Head.get("/a?since=x")).status());
        assertEquals(400, begin(module, Head.get("/a?timeout=x")).status());
        assertEquals(405, begin(module, Head.of("DELETE", "/a")).status());
        assertEquals(404, begin(module, Head.get("/-/demo")).status());
        assertEquals(404, begin(module, Head.get("/-/other")).status());
        assertEquals(413, begin(module, Head.of("POST", "/a").length(11)).status());
        RecordedExchange large = begin(module, Head.of("POST", "/a").length(-1));
        assertEquals(413, large.send("x".repeat(11)).status());
        assertEquals(201, post(module, Head.of("POST", "/a").length(10), "x".repeat(10)).status());
    }

    @Test
    void waitersAreLimitedInAllByClientAndByChannel() throws Exception {
        PeerModule module =
                module(
                        "waiters=4",
                        "waiters-per-client=2",
                        "waiters-per-channel=3",
                        "client-header=X-Real-IP");
        List<RecordedExchange> waiting = new ArrayList<>();
        waiting.add(begin(module, Head.get("/a").with("X-Real-IP", "1")));
        waiting.add(begin(module, stream("/a").with("X-Real-IP", "1")));
        RecordedExchange more = begin(module, Head.get("/a").with("X-Real-IP", "1"));
        assertEquals(429, more.status());
        assertNotNull(more.header("Retry-After"));
        waiting.add(begin(module, Head.get("/a").with("X-Real-IP", "2")));
        assertEquals(503, begin(module, Head.get("/b,a").with("X-Real-IP", "3")).status());
        waiting.add(begin(module, Head.get("/b").with("X-Real-IP", "3")));
        assertEquals(503, begin(module, Head.get("/b").with("X-Real-IP", "4")).status());

        waiting.forEach(RecordedExchange::leave);

        assertEquals(0, figure(module, "clients"));
        assertEquals(0, figure(module, "channels"));
        assertEquals(0, begin(module, Head.get("/a").with("X-Real-IP", "1")).status());
    }

    @Test
    void presenceIsShown() throws Exception {
        PeerModule module = module();
        begin(module, Head.get("/a"));
        begin(module, stream("/a,b"));

        RecordedExchange presence = begin(module, Head.get("/-/channels/a,b,c"));

        assertEquals(
                "[{\"channel\":\"a\",\"waiting\":2,\"events\":0},"
                        + "{\"channel\":\"b\",\"waiting\":1,\"events\":0},"
                        + "{\"channel\":\"c\",\"waiting\":0,\"events\":0}]\n",
                presence.text());
        assertEquals(405, begin(module, Head.of("POST", "/-/channels/a")).status());
    }

    @Test
    void onlyThisMachineAndWhoHasTheSecretMayPublish() throws Exception {
        PeerModule module = module("shared-secret-file=" + file("secret", "s3cret\n"));
        Head foreign = Head.of("POST", "/a").from("192.0.2.1");

        RecordedExchange refused = begin(module, foreign);
        assertEquals(401, refused.status());
        assertEquals("Bearer", refused.header("WWW-Authenticate"));
        foreign.with("Authorization", "Bearer wrong");
        assertEquals(403, begin(module, foreign).status());
        foreign.with("Authorization", "Bearer s3cret");
        assertEquals(201, post(module, foreign, "x").status());
        assertEquals(403, begin(module(), Head.of("POST", "/a").from("192.0.2.1")).status());
        assertEquals(2L, figure(module, "refused"));
    }

    @Test
    void signedUrlLetsIn() throws Exception {
        byte[] key = "key".getBytes(StandardCharsets.US_ASCII);
        PeerModule module =
                module("subscribe-access=signed", "signing-key-file=" + file("key", "key"));
        long expires = System.currentTimeMillis() / 1000 + 100;
        String signature = SignedUrl.sign(key, Action.SUBSCRIBE, "a", expires);
        String parameters = "?expires=" + expires + "&signature=" + signature;

        assertEquals(0, begin(module, Head.get("/a" + parameters)).status());
        assertEquals(403, begin(module, Head.get("/b" + parameters)).status());
        assertEquals(403, begin(module, Head.get("/a")).status());
        assertEquals(403, begin(module, Head.get("/-/channels/a")).status());
    }

    @Test
    void pagesOfOtherHostsMayDoWhatTheListSays() throws Exception {
        PeerModule module = module("cors-origins=https://good.example");
        Head own = Head.of("POST", "/a").with("Origin", "http://localhost");
        Head good = Head.of("POST", "/a").with("Origin", "https://good.example");
        Head bad = Head.of("POST", "/a").with("Origin", "https://bad.example");

        assertEquals(201, post(module, own, "x").status());
        RecordedExchange allowed = post(module, good, "x");
        assertEquals(201, allowed.status());
        assertEquals("https://good.example", allowed.header("Access-Control-Allow-Origin"));
        RecordedExchange refused = begin(module, bad);
        assertEquals(403, refused.status());
        assertNull(refused.header("Access-Control-Allow-Origin"));
        RecordedExchange preflight =
                begin(module, Head.of("OPTIONS", "/a").with("Origin", "https://good.example"));
        assertEquals(204, preflight.status());
        assertEquals("GET, POST", preflight.header("Access-Control-Allow-Methods"));
        RecordedExchange stream =
                begin(module("cors-origins=*"), stream("/a").with("Origin", "https://x"));
        assertEquals("*", stream.header("Access-Control-Allow-Origin"));
    }

    @Test
    void fileKeepsEventsOverARestart() throws Exception {
        String file = "file=" + folder.resolve("events");
        PeerModule first = module(file);
        String one = publish(first, "/a", "1");
        String two = publish(first, "/a", "2");
        assertThrows(BadConfigurationException.class, () -> module(file));
        first.close();
        PeerModule second = module(file);

        RecordedExchange resumed = begin(second, Head.get("/a?since=" + one));

        assertEquals("[{\"id\":\"" + two + "\",\"data\":\"2\"}]\n", resumed.text());
        RecordedExchange late = post(first, Head.of("POST", "/a"), "3");
        assertEquals(503, late.status());
    }

    @Test
    void fileThatCannotBeUsedIsRefusedWithItsReason() {
        Path missing = folder.resolve("missing");

        BadConfigurationException refused =
                assertThrows(
                        BadConfigurationException.class,
                        () -> module("file=" + missing.resolve("events")));

        assertEquals(
                "file = %1$s/events: %1$s/events.lock: the folder %1$s does not exist"
                        .formatted(missing),
                refused.getMessage());
    }

    @Test
    void drainAnswersEverybody() throws Exception {
        PeerModule module = module();
        RecordedExchange poll = begin(module, Head.get("/a"));
        RecordedExchange stream = begin(module, stream("/a"));

        module.drain();

        poll.awaitEnd();
        assertEquals(503, poll.status());
        assertNotNull(poll.header("Retry-After"));
        assertEquals("complete", stream.awaitEnd());
        RecordedExchange late = begin(module, Head.get("/a"));
        assertEquals(503, late.status());
        assertNotNull(late.header("Retry-After"));
        assertEquals(503, begin(module, Head.of("POST", "/a")).status());
    }

    @Test
    void demoPageIsServedWithItsParts() throws Exception {
        PeerModule module = module();

        assertTrue(begin(module, Head.get("/-/demo")).text().contains("<script src=\"demo.js\""));
        RecordedExchange script = begin(module, Head.get("/-/demo.js"));
        assertTrue(script.text().contains("new EventSource"));
        assertEquals("text/javascript; charset=utf-8", script.header("Content-Type"));
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
        for (String bad :
                List.of(
                        "publish-access=ask",
                        "subscribe-access=signed",
                        "subscribe-access=secret",
                        "publish-access=everybody",
                        "access-url=ftp://x/",
                        "access-url=::",
                        "channels=a/b",
                        "shared-secret-file=/does/not/exist")) {
            assertThrows(BadConfigurationException.class, () -> module(bad), bad);
        }
    }

    @Test
    void programNamesItsKeysAndRefusesUnknownOnes() {
        EventsProvider provider = new EventsProvider();

        assertEquals("events", provider.type());
        assertEquals("/events", provider.defaultContext());
        assertTrue(provider.keys().size() > 20);
    }
}
