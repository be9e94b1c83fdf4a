package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A server whose limits over all contexts are reached: it says so at once and recovers. */
@Timeout(120)
class ExhaustionIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MOST_EXCHANGES = 4;
    private static final int MEMORY_PER_BODY = 1000;
    private static final int DISK = 100_000;
    private static final int REFUSED = 1000;

    @TempDir private static Path folder = Path.of("unset");
    private static ProxyProcess proxy;

    @BeforeAll
    static void startTheServer() throws Exception {
        String limits =
                """
                request.max-exchanges = %d
                spool.memory-per-body = %d
                spool.memory-total = %d
                spool.disk-total = %d
                context.queue-time = 30s
                context.response-timeout = 30s
                """
                        .formatted(MOST_EXCHANGES, MEMORY_PER_BODY, 2 * MEMORY_PER_BODY, DISK);
        Path file = Configuration.write(folder.resolve("exhaustion.properties"), limits);
        proxy = ProxyProcess.start("exhaustion", file);
    }

    @AfterAll
    static void endTheServer() {
        proxy.close();
    }

    @AfterEach
    void restsAgain() throws Exception {
        nothingStays();
    }

    private static void nothingStays() throws Exception {
        Wait.require(
                "nothing is in flight or kept",
                SOON,
                () -> proxy.status().inFlight() == 0 && proxy.status().spooled() == 0);
    }

    private static RawHttp client() throws Exception {
        return RawHttp.to(proxy.httpPort());
    }

    private static ScriptedPeer busyPeer(RawHttp client) throws Exception {
        ScriptedPeer peer = ScriptedPeer.dial(proxy.lrwpPort()).register("x");
        client.request("GET", "/x/first");
        peer.request();
        return peer;
    }

    private static void serveNext(ScriptedPeer peer, RawHttp client) throws Exception {
        peer.request();
        peer.text("served");
        assertEquals("served", client.answer().text());
    }

    private static void awaitWaiting(int count) throws Exception {
        Wait.require(count + " wait", SOON, () -> proxy.status().waiting() == count);
    }

    private static void requireRefusal(String word, HttpAnswer answer) {
        Answers.requireError(503, word, answer);
        assertEquals("1", answer.value("Retry-After").orElse(""));
    }

    @Test
    void requestAboveTheLimitOfAllIsRefusedAndTheNextIsServed() throws Exception {
        try (RawHttp first = client();
                RawHttp second = client();
                RawHttp third = client();
                RawHttp fourth = client();
                RawHttp fifth = client();
                ScriptedPeer peer = busyPeer(first)) {
            int count = 0;
            for (RawHttp waiting : new RawHttp[] {second, third, fourth}) {
                waiting.request("GET", "/x/waits");
                awaitWaiting(++count);
            }
            assertEquals(MOST_EXCHANGES, proxy.status().inFlight());

            requireRefusal("too-many-requests", fifth.get("/x/too-many"));

            peer.text("first");
            assertEquals("first", first.answer().text());
            serveNext(peer, second);
            serveNext(peer, third);
            serveNext(peer, fourth);
            fifth.request("GET", "/x/again");
            serveNext(peer, fifth);
        }
    }

    @Test
    void bodyThatFindsNoRoomIsRefusedWhileItIsSentAndFindsItLater() throws Exception {
        try (RawHttp first = client();
                RawHttp kept = client();
                RawHttp refused = client();
                RawHttp later = client();
                ScriptedPeer peer = busyPeer(first)) {
            kept.post("/x/kept", Bytes.random(DISK - 10_000, 1));
            awaitWaiting(1);

            refused.send(refused.head("POST", "/x/refused", "Content-Length: 50000"));
            refused.wire().send(Bytes.random(40_000, 2));

            requireRefusal("no-space", refused.answer());
            peer.text("first");
            assertEquals("first", first.answer().text());
            serveNext(peer, kept);
            nothingStays();
            later.post("/x/later", Bytes.random(50_000, 3));
            serveNext(peer, later);
        }
    }

    @Test
    void requestsBehindRefusedBodiesAreServed() throws Exception {
        try (RawHttp first = client();
                RawHttp kept = client();
                ScriptedPeer peer = busyPeer(first);
                ServingPeer other = ServingPeer.echo(proxy.lrwpPort(), "y");
                ExecutorService clients = Executors.newFixedThreadPool(2)) {
            kept.post("/x/kept", Bytes.random(DISK - 10_000, 1));
            awaitWaiting(1);

            List<Future<Integer>> served = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                served.add(clients.submit(ExhaustionIT::refusedAndServed));
            }
            for (Future<Integer> one : served) {
                assertEquals(REFUSED, one.get());
            }

            assertEquals(2 * REFUSED, other.seen().size());
            peer.text("first");
            assertEquals("first", first.answer().text());
            serveNext(peer, kept);
        }
    }

    /** What is left of a refused body and the next request come while its answer is written. */
    private static int refusedAndServed() throws Exception {
        int served = 0;
        try (RawHttp client = client()) {
            byte[] part = Bytes.random(15_000, 5);
            for (int i = 0; i < REFUSED; i++) {
                client.send(client.head("POST", "/x/refused", "Content-Length: 45000"));
                for (int k = 0; k < 3; k++) {
                    client.wire().send(part);
                }
                requireRefusal("no-space", client.answer());
                served += client.get("/y/next").status() == 200 ? 1 : 0;
            }
        }
        return served;
    }

    @Test
    void bodiesGoToFilesWhenMemoryIsFull() throws Exception {
        try (RawHttp first = client();
                RawHttp second = client();
                RawHttp third = client();
                RawHttp fourth = client();
                ScriptedPeer peer = busyPeer(first)) {
            RawHttp[] waiting = {second, third, fourth};
            int count = 0;
            for (RawHttp client : waiting) {
                client.post("/x/body", Bytes.random(MEMORY_PER_BODY, 4));
                awaitWaiting(++count);
            }

            assertEquals(2 * MEMORY_PER_BODY, number("spoolMemory"));
            assertEquals(MEMORY_PER_BODY, number("spoolDisk"));
            peer.text("first");
            assertTrue(first.answer().text().startsWith("first"));
            for (RawHttp client : waiting) {
                serveNext(peer, client);
            }
        }
    }

    private static int number(String key) throws Exception {
        return proxy.status().page().getInt(key);
    }
}
