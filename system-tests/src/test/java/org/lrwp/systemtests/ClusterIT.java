package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.ClusterNode;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.MetricsText;
import org.lrwp.systemtests.harness.NatsServer;
import org.lrwp.systemtests.harness.OtherClock;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Three proxies and a NATS server: requests without a free slot go where one is, and any of them
 * may be killed. Requests are told by their bodies, so that one done twice is seen.
 */
@Timeout(180)
@TestMethodOrder(OrderAnnotation.class)
class ClusterIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String PATH = "/" + ClusterNode.APP + "/x";
    private static final int SLOTS = 3;

    /** The clock of one node is ahead of the others by so much, all the time. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(5);

    @TempDir static Path folder;

    private static final ExecutorService CLIENTS = Executors.newVirtualThreadPerTaskExecutor();
    private static NatsServer nats;
    private static ClusterNode a;
    private static ClusterNode b;
    private static ClusterNode c;
    private static ServingPeer stored;
    private static String lastEvent = "";
    private static final AtomicInteger version = new AtomicInteger(1);

    @BeforeAll
    static void start() throws Exception {
        nats = NatsServer.install(folder);
        List<Future<ClusterNode>> starting = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            String way = name.equals("c") ? nats.otherWay().address() : nats.address();
            String keys = nats.keys("login", way);
            Map<String, String> clock =
                    name.equals("c") ? OtherClock.ahead(CLOCKS_APART) : Map.of();
            starting.add(CLIENTS.submit(() -> ClusterNode.start(name, folder, keys, clock)));
        }
        a = starting.get(0).get();
        b = starting.get(1).get();
        c = starting.get(2).get();
        stored =
                new ServingPeer(
                        a.proxy().lrwpPort(),
                        "cached",
                        request -> {
                            String tag = "\"v" + version.get() + "\"";
                            boolean same = tag.equals(request.env().get("HTTP_IF_NONE_MATCH"));
                            return Bytes.of(
                                    "Status: %s\r\nETag: %s\r\nCache-Control: max-age=600\r\n\r\n%s"
                                            .formatted(
                                                    same ? 304 : 200,
                                                    tag,
                                                    same ? "" : "v" + version.get()));
                        });
        a.peers(1);
        b.peers(SLOTS);
        c.peers(SLOTS);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable one : new AutoCloseable[] {stored, a, b, c, nats}) {
            if (one != null) {
                one.close();
            }
        }
        CLIENTS.close();
    }

    @Test
    @Order(0)
    void theClocksOfTheNodesAreApart() throws Exception {
        Assumptions.assumeFalse(OtherClock.ahead(CLOCKS_APART).isEmpty());
        Duration apart = Duration.between(timeOf(a), timeOf(c));

        assertTrue(apart.compareTo(CLOCKS_APART.minusSeconds(1)) >= 0, apart::toString);
    }

    private static ZonedDateTime timeOf(ClusterNode node) throws IOException {
        String date = node.ask("GET", "/-/status", "").value("Date").orElseThrow();
        return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
    }

    /** A request of its own connection, with its name as the body. */
    private static Future<HttpAnswer> ask(ClusterNode node, String method, String id) {
        return CLIENTS.submit(
                () -> {
                    try (RawHttp client = RawHttp.to(node.proxy().httpPort())) {
                        client.send(method, PATH, id.getBytes(StandardCharsets.US_ASCII));
                        return client.answer();
                    }
                });
    }

    private static List<Future<HttpAnswer>> ask(
            ClusterNode node, String method, String name, int count) {
        List<Future<HttpAnswer>> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asked.add(ask(node, method, name + i));
        }
        return asked;
    }

    private static void awaitSeen(String name, int count, Callable<List<String>> seen)
            throws Exception {
        Wait.require(
                count + " requests " + name,
                SOON,
                () -> seen.call().stream().filter(id -> id.startsWith(name)).count() == count);
    }

    private static List<String> everywhere() {
        List<String> all = new ArrayList<>(a.seen());
        all.addAll(b.seen());
        all.addAll(c.seen());
        return all;
    }

    private static void requireOnce(String name, int count) {
        List<String> done = everywhere().stream().filter(id -> id.startsWith(name)).toList();
        assertEquals(count, done.size(), done::toString);
        assertEquals(count, new HashSet<>(done).size(), done::toString);
    }

    private static double sent() throws IOException {
        return MetricsText.of(a.proxy()).sum("lrwp_cluster_requests_total", "what=\"sent\"");
    }

    @Test
    @Order(1)
    void requestsGoWhereSlotsAreFreeAndEachIsAnsweredOnce() throws Exception {
        a.awaitFree("b", SLOTS);
        a.awaitFree("c", SLOTS);
        a.hold();
        b.hold();
        c.hold();
        List<Future<HttpAnswer>> asked = ask(a, "POST", "spread-", 3 * SLOTS + 4);
        // One here, three there and there; the rest waits, here.
        awaitSeen("spread-", 1 + 2 * SLOTS, ClusterIT::everywhere);
        a.release();
        b.release();
        c.release();
        for (int i = 0; i < asked.size(); i++) {
            HttpAnswer answer = asked.get(i).get();
            assertEquals(200, answer.status(), answer::toString);
            assertTrue(answer.text().endsWith(" spread-" + i), answer::toString);
        }

        requireOnce("spread-", asked.size());
        assertTrue(sent() >= 2 * SLOTS, "sent " + sent());
        assertEquals(
                1, MetricsText.of(a.proxy()).sum("lrwp_cluster_connected"), "a is not connected");
        Wait.require(
                "the access log names the nodes",
                SOON,
                () -> {
                    String log = Files.readString(folder.resolve("a.access"));
                    return log.contains(" peer=\"node:b\" node=b ")
                            && log.contains(" peer=\"node:c\" node=c ");
                });
    }

    @Test
    @Order(1)
    void largeBodyGoesToTheNodeThatHasASlot() throws Exception {
        a.awaitFree("b", SLOTS);
        a.awaitFree("c", SLOTS);
        double before = sent();
        a.hold();
        Future<HttpAnswer> held = ask(a, "POST", "large-held");
        awaitSeen("large-held", 1, a::seen);
        String body = "large-there" + "x".repeat(1_000_000);

        HttpAnswer answer = ask(a, "POST", body).get();

        assertEquals(200, answer.status(), answer::toString);
        assertTrue(answer.text().matches("[bc] large-therex{1000000}"), "another body");
        a.release();
        assertEquals(200, held.get().status());
        assertEquals(before + 1, sent());
    }

    /** What a client gets of the context with a cache. */
    private static HttpAnswer cached(ClusterNode node, String method) throws IOException {
        return node.ask(method, "/cached/x", "");
    }

    private static String cacheStatus(HttpAnswer answer) {
        return answer.value("Cache-Status").orElse("");
    }

    @Test
    @Order(2)
    void cachesForgetTogether() throws Exception {
        for (ClusterNode node : List.of(b, c)) {
            Wait.require("it knows the context", SOON, () -> node.freeAt("a", "/cached") == 1);
            assertEquals("v1", cached(node, "GET").text());
            assertTrue(cacheStatus(cached(node, "GET")).startsWith("lrwp; hit"), "not stored");
        }

        version.set(2);
        assertEquals(200, cached(a, "PURGE").status());
        for (ClusterNode node : List.of(b, c)) {
            Wait.require("purged", SOON, () -> cached(node, "GET").text().equals("v2"));
        }
        version.set(3);
        assertEquals(200, c.ask("POST", "/cached/x", "change").status());
        Wait.require("invalidated", SOON, () -> cached(b, "GET").text().equals("v3"));
        version.set(4);
        assertEquals(200, b.ask("PURGE", "/cached/", "", "Purge: prefix").status());
        Wait.require("purged by prefix", SOON, () -> cached(c, "GET").text().equals("v4"));
    }

    @Test
    @Order(3)
    void eventReachesClientsOfAllNodesAndItsIdHoldsAtAll() throws Exception {
        HttpAnswer before = b.ask("GET", "/events/news?timeout=0", "");
        String start = before.value("Last-Event-ID").orElseThrow();
        Future<HttpAnswer> atB =
                CLIENTS.submit(() -> b.ask("GET", "/events/news?since=" + start, ""));
        Future<HttpAnswer> atC =
                CLIENTS.submit(() -> c.ask("GET", "/events/news?since=" + start, ""));

        assertEquals(201, a.ask("POST", "/events/news", "one").status());

        assertTrue(atB.get().text().contains("\"data\":\"one\""), atB.get().text());
        assertTrue(atC.get().text().contains("\"data\":\"one\""), atC.get().text());
        lastEvent = atB.get().value("Last-Event-ID").orElseThrow();
        HttpAnswer nothing = c.ask("GET", "/events/news?timeout=0&since=" + lastEvent, "");
        assertEquals(204, nothing.status(), nothing::toString);
        assertTrue(lastEvent.contains("@b."), lastEvent);
        replacedModuleIsStillOneOfAll();
    }

    /** What can be changed at the start only replaces the module while its node goes on. */
    private static void replacedModuleIsStillOneOfAll() throws Exception {
        HttpAnswer changed =
                a.act("PUT", "configuration/module.live.drainers", "{\"value\":\"3\"}");
        assertEquals(200, changed.status(), changed::toString);
        Wait.require(
                "the module is another one, and has no events",
                SOON,
                () -> {
                    HttpAnswer old = a.ask("GET", "/events/news?timeout=0&since=oldest", "");
                    return old.status() == 204;
                });

        HttpAnswer seen = a.ask("GET", "/events/news?timeout=0&since=" + lastEvent, "");
        assertEquals(204, seen.status(), "who has seen all is told of no gap: " + seen);
        Future<HttpAnswer> atA =
                CLIENTS.submit(() -> a.ask("GET", "/events/news?since=" + lastEvent, ""));
        assertEquals(201, b.ask("POST", "/events/news", "to-new").status());
        assertEquals(1, occurrences(atA.get().text(), "\"to-new\""), atA.get().text());
        String atNew = atA.get().value("Last-Event-ID").orElseThrow();
        Future<HttpAnswer> atC =
                CLIENTS.submit(() -> c.ask("GET", "/events/news?since=" + atNew, ""));
        assertEquals(201, a.ask("POST", "/events/news", "of-new").status());
        assertTrue(atC.get().text().contains("\"data\":\"of-new\""), atC.get().text());
        assertFalse(atC.get().text().contains("gap"), atC.get().text());
        lastEvent = b.ask("GET", "/events/news?timeout=0", "").value("Last-Event-ID").orElseThrow();
    }

    private static int occurrences(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    @Order(3)
    void peerIsDrainedAtAllNodesByOne() throws Exception {
        HttpAnswer drained = a.act("cluster/peers/drain", "{\"peer\":\"anonymous\"}");

        assertEquals(200, drained.status(), drained::toString);
        assertTrue(drained.text().contains("2 at a, 3 at b, 3 at c"), drained.text());
        a.awaitFree("b", 0);
        b.awaitFree("c", 0);
        Future<HttpAnswer> waits = ask(c, "POST", "drained-waits");
        Wait.require("it waits", SOON, () -> c.proxy().status().waiting() == 1);
        HttpAnswer resumed = b.act("cluster/peers/resume", "{\"peer\":\"anonymous\"}");
        assertEquals(200, resumed.status(), resumed::toString);
        assertEquals(200, waits.get().status());
        requireOnce("drained-", 1);
    }

    @Test
    @Order(4)
    void whoHasTheWrongPasswordStaysAloneAndSaysWhy() throws Exception {
        try (ClusterNode d = ClusterNode.start("d", folder, nats.keys("wrong"), Map.of())) {
            Wait.require(
                    "d says why",
                    SOON,
                    () -> d.cluster().getString("reason").contains("Authorization Violation"));
            assertEquals("", a.stateOf("d"));
            assertEquals(404, d.ask("GET", "/shared/x", "").status());
        }
    }

    @Test
    @Order(5)
    void faultsUnderLoadLoseNothingWithoutANamedErrorAndRepeatNothing() throws Exception {
        new ClusterFaults(List.of(a, b, c), nats).run(CLIENTS);
    }

    @Test
    @Order(6)
    void withoutNatsEachWorksAloneAndWithItTogetherAgain() throws Exception {
        a.awaitFree("b", SLOTS);
        a.awaitFree("c", SLOTS);
        b.hold();
        c.hold();
        a.hold();
        Future<HttpAnswer> here = ask(a, "POST", "lost-here");
        awaitSeen("lost-", 1, a::seen);
        List<Future<HttpAnswer>> there = ask(a, "POST", "lost-there-", SLOTS);
        awaitSeen("lost-there-", SLOTS, ClusterIT::everywhere);

        assertEquals("v4", cached(b, "GET").text());
        nats.kill();

        for (Future<HttpAnswer> one : there) {
            Answers.requireError(502, "peer-gone", one.get());
        }
        a.release();
        assertEquals("a lost-here", here.get().text());
        for (ClusterNode node : List.of(a, b, c)) {
            Wait.require("it works alone", SOON, () -> !node.cluster().getBoolean("connected"));
        }
        assertEquals(0, MetricsText.of(a.proxy()).sum("lrwp_cluster_connected"));
        assertEquals("a alone", ask(a, "POST", "alone").get().text());
        assertTrue(a.proxy().output().contains("cluster-alone"), a.proxy().output());
        b.release();
        c.release();
        requireOnce("lost-", 1 + SLOTS);
        changeWhatOthersMiss();

        nats.start();
        a.awaitFree("b", SLOTS);
        a.awaitFree("c", SLOTS);
        b.awaitFree("a", 1);
        requireMissed();
        double before = sent();
        a.hold();
        Future<HttpAnswer> held = ask(a, "POST", "again-held");
        awaitSeen("again-", 1, a::seen);
        assertEquals(200, ask(a, "POST", "again-sent").get().status());
        a.release();
        assertEquals(200, held.get().status());
        assertEquals(before + 1, sent());
    }

    /** A purge and an event at a, of which b cannot hear. */
    private static void changeWhatOthersMiss() throws Exception {
        version.set(5);
        assertEquals(200, cached(a, "PURGE").status());
        assertTrue(cacheStatus(cached(b, "GET")).startsWith("lrwp; hit"), "b has heard of it");
        assertEquals(201, a.ask("POST", "/events/news", "two").status());
    }

    /** It asks before it serves what it had, and whoever waits there is told of a gap. */
    private static void requireMissed() throws Exception {
        Wait.require("b has the new one", SOON, () -> cached(b, "GET").text().equals("v5"));
        HttpAnswer late = b.ask("GET", "/events/news?since=" + lastEvent, "");
        assertTrue(late.text().contains("\"gap\":\"" + lastEvent + "\""), late.text());
    }

    @Test
    @Order(7)
    void nodeThatIsKilledTakesOnlyWhatItHad() throws Exception {
        Wait.require(
                "a is sure of its connection",
                SOON,
                () -> a.cluster().getJsonNumber("sinceMillis").longValue() > 2000);
        a.awaitFree("b", SLOTS);
        a.awaitFree("c", SLOTS);
        for (ClusterNode node : List.of(a, b, c)) {
            node.hold();
        }
        List<Future<HttpAnswer>> posts = ask(a, "POST", "killed-post-", 1 + 2 * SLOTS);
        awaitSeen("killed-", 1 + 2 * SLOTS, ClusterIT::everywhere);
        int atC = (int) c.seen().stream().filter(id -> id.startsWith("killed-")).count();

        c.kill();

        Wait.require("c is gone", SOON, () -> a.stateOf("c").equals("gone"));
        a.release();
        b.release();
        int lost = 0;
        for (Future<HttpAnswer> one : posts) {
            HttpAnswer answer = one.get();
            if (answer.status() == 200) {
                continue;
            }
            Answers.requireError(502, "peer-gone", answer);
            lost++;
        }
        assertEquals(SLOTS, atC);
        assertEquals(atC, lost);
        requireOnce("killed-", 1 + 2 * SLOTS);
        for (Future<HttpAnswer> one : ask(a, "POST", "after-", 20)) {
            assertEquals(200, one.get().status());
        }
        requireOnce("after-", 20);
    }

    @Test
    @Order(8)
    void nodesAreUpdatedOneAfterTheOtherWithoutAFailedRequest() throws Exception {
        new RollingUpdate(folder, a, b).run(CLIENTS);
    }
}
