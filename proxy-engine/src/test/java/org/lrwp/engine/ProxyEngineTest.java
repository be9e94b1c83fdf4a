package org.lrwp.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.agent.AgentConfig;
import org.lrwp.engine.agent.PeerLimits;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.network.Network;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The whole engine with real peers on loopback. */
@Timeout(60)
class ProxyEngineTest {
    private static final int MOST = 3;
    private static final long PATIENCE_SECONDS = 20;

    private final BlockingQueue<ExchangeRecord> ended = new LinkedBlockingQueue<>();
    private final ProxyEngine engine;
    private int requests;

    ProxyEngineTest() throws IOException {
        engine = ProxyEngine.start(config(0), ended::add);
    }

    static EngineConfig config(int port) {
        var agent =
                new AgentConfig(
                        InetAddress.getLoopbackAddress(),
                        port,
                        Network.LOOPBACK,
                        Duration.ofSeconds(5),
                        Duration.ZERO,
                        new PeerLimits(100, 100, 256, 10, 50, 10_000, 10),
                        AccessPolicy.OPEN,
                        TestEngine.lrwp3Config());
        var spool =
                new SpoolConfig(
                        Path.of(System.getProperty("java.io.tmpdir")),
                        64 * 1024,
                        1_000_000,
                        10_000_000,
                        1_000_000);
        var contexts =
                new ContextConfigs(
                        TestEngine.contextConfig(false),
                        Map.of("/named", TestEngine.contextConfig(true)));
        return new EngineConfig(agent, contexts, spool, MOST, 2, 1);
    }

    @AfterEach
    void close() {
        engine.close();
        assertEquals(0, engine.status().exchanges().size());
        assertEquals(0, engine.status().spoolDisk());
    }

    private ScriptedPeer peer() throws IOException {
        return ScriptedPeer.dial(engine.agentAddress().getPort()).register("osp");
    }

    private static void requireNext(ScriptedPeer peer, String id, String body) throws IOException {
        RequestFrame request = peer.request();
        assertEquals("ID=" + id + "\0\0" + body, Bytes.text(request.block()) + request.text());
    }

    private static void requireDropped(ScriptedPeer peer) throws IOException {
        assertEquals(End.FIN, peer.end(Duration.ofSeconds(PATIENCE_SECONDS)));
    }

    private AwaitingClient ask(String method, String body) {
        ContextMatch match = engine.match("", "/osp/x");
        assertNotNull(match);
        String id = "r" + ++requests;
        var request =
                new ExchangeRequest(
                        id,
                        method,
                        "/osp/x",
                        "192.0.2.1",
                        (block, length, upgrade) -> TestEngine.frameHead(id, length));
        var client = new AwaitingClient();
        Exchange exchange = engine.open(match, request, client);
        client.of(exchange);
        exchange.body().receive(TestEngine.bytes(body));
        exchange.body().whole();
        return client;
    }

    private String reason() throws InterruptedException {
        ExchangeRecord record = ended.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertNotNull(record);
        return record.reason();
    }

    /** Looks at the status until it is as expected: the loop needs its time. */
    private void await(Predicate<EngineStatus> expected) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!expected.test(engine.status())) {
            assertTrue(System.nanoTime() < end, () -> engine.status().toString());
            Thread.onSpinWait();
        }
    }

    @Test
    void aPeerAnswersOneRequestAfterTheOther() throws IOException, InterruptedException {
        assertNull(engine.match("", "/osp/x"));
        try (ScriptedPeer peer = peer()) {
            for (int i = 1; i <= 5; i++) {
                AwaitingClient client = ask("POST", "question " + i);
                requireNext(peer, "r" + i, "question " + i);
                peer.text("answer " + i);
                assertEquals("200 answer " + i, client.awaited());
                assertEquals("answered", reason());
            }
            assertEquals(5, engine.status().peers().getFirst().served());
        }
        await(status -> status.peers().isEmpty());
    }

    @Test
    void aBodyOfAMegabyteComesThrough() throws IOException {
        try (ScriptedPeer peer = peer()) {
            String question = "q".repeat(190_000);
            String answer = "a".repeat(1_500_000);
            AwaitingClient client = ask("POST", question);
            requireNext(peer, "r1", question);
            peer.text(answer);
            assertEquals("200 " + answer, client.awaited());
        }
    }

    @Test
    void aPeerThatLeavesWithItsRequestCostsOneAnswer() throws IOException, InterruptedException {
        AwaitingClient post;
        AwaitingClient get;
        try (ScriptedPeer dying = peer()) {
            post = ask("POST", "");
            dying.request();
            get = ask("GET", "");
        }
        assertEquals("502 peer-gone", post.awaited());
        assertEquals("peer-gone", reason());
        assertNull(get.soFar());
        try (ScriptedPeer next = peer()) {
            requireNext(next, "r2", "");
            next.text("x");
            assertEquals("200 x", get.awaited());
        }
    }

    @Test
    void aPeerThatLeavesInItsAnswerCutsTheClient() throws IOException {
        AwaitingClient client;
        try (ScriptedPeer dying = peer()) {
            client = ask("GET", "");
            dying.request();
            dying.wire().send("000100000A: b\n\n" + "x".repeat(70_000));
            await(status -> status.exchanges().toString().contains("ANSWERING"));
        }
        assertTrue(client.awaited().startsWith("cut xxx"));
    }

    @Test
    void junkOfAnIdlePeerDropsIt() throws IOException {
        try (ScriptedPeer peer = peer()) {
            peer.wire().send("\u00ffjunk");
            requireDropped(peer);
        }
    }

    @Test
    void tooManyRequestsAreRefusedAtOnce() throws IOException, InterruptedException {
        try (ScriptedPeer peer = peer()) {
            List<AwaitingClient> clients = List.of(ask("GET", ""), ask("GET", ""), ask("GET", ""));
            assertEquals("503 too-many-requests", ask("GET", "").awaited());
            assertEquals("too-many-requests", reason());
            assertEquals(3, engine.status().exchanges().size());
            assertEquals("r1", engine.status().exchanges().getFirst().id());
            for (AwaitingClient client : clients) {
                peer.request();
                peer.text("x");
                assertEquals("200 x", client.awaited());
            }
            AwaitingClient next = ask("GET", "");
            peer.request();
            peer.text("y");
            assertEquals("200 y", next.awaited());
        }
    }

    @Test
    void drainingLetsRequestsEndAndTakesNoMore() throws IOException, InterruptedException {
        try (ScriptedPeer peer = peer()) {
            AwaitingClient running = ask("GET", "");
            AwaitingClient waiting = ask("GET", "");
            assertTrue(engine.isListening());
            Thread drain =
                    Thread.startVirtualThread(
                            () -> engine.drain(Duration.ofSeconds(PATIENCE_SECONDS)));
            await(EngineStatus::draining);
            assertFalse(engine.isListening());
            assertTrue(engine.isDraining());
            assertEquals("503 draining", ask("GET", "").awaited());
            for (AwaitingClient client : List.of(running, waiting)) {
                peer.request();
                peer.text("x");
                assertEquals("200 x", client.awaited());
            }
            drain.join();
            assertEquals(0, engine.status().exchanges().size());
        }
    }

    @Test
    void whatStillWaitsWhenTheDrainTimeIsOverFails() throws IOException {
        try (ScriptedPeer peer = peer()) {
            AwaitingClient running = ask("GET", "");
            AwaitingClient waiting = ask("GET", "");
            peer.request();
            engine.drain(Duration.ofMillis(1));
            assertEquals("503 draining", waiting.awaited());
            assertNull(running.soFar());
            engine.close();
            assertNotNull(running.awaited());
            requireDropped(peer);
        }
    }

    @Test
    void theDrainTimeIsCountedFromTheFirstCall() throws IOException {
        try (ScriptedPeer peer = peer()) {
            AwaitingClient running = ask("GET", "");
            peer.request();
            engine.drain(Duration.ofMillis(1));
            engine.drain(Duration.ofDays(1));
            assertNull(running.soFar());
        }
    }

    @Test
    void drainedNodeAnswersWhatComesAndIsFreeForNoOther() throws IOException {
        try (ScriptedPeer peer = peer()) {
            var osp = new ServedContext("/osp", "");
            await(status -> engine.cluster().free(osp) == 1);
            engine.commands().drainNode("node:a", AuditActor.anonymous("here"));

            assertTrue(engine.status().drained());
            assertFalse(engine.isDraining());
            assertEquals(0, engine.cluster().free(osp));
            AwaitingClient late = ask("GET", "");
            peer.request();
            peer.text("x");
            assertEquals("200 x", late.awaited());

            engine.commands().resumeNode("node:a", AuditActor.anonymous("here"));
            assertFalse(engine.isDrained());
            await(status -> engine.cluster().free(osp) == 1);
        }
    }

    @Test
    void whoGoesDownGivesNoticeFirstAndTakesRequestsMeanwhile() throws Exception {
        try (ScriptedPeer peer = peer()) {
            Thread notice = Thread.startVirtualThread(() -> engine.announce(Duration.ofDays(1)));
            await(EngineStatus::drained);
            assertTrue(engine.isListening());
            AwaitingClient late = ask("GET", "");
            peer.request();
            peer.text("x");
            assertEquals("200 x", late.awaited());

            engine.drain(Duration.ofMillis(1));
            notice.join();
            assertTrue(engine.isDraining());
        }
    }

    @Test
    void nodeThatIsDrainedGivesNoFurtherNotice() {
        engine.commands().drainNode("", AuditActor.anonymous("here"));
        engine.announce(Duration.ofDays(1));
        assertFalse(engine.isDraining());
    }

    @Test
    void closingEndsEverythingAndFreesThePort() throws IOException {
        try (ScriptedPeer peer = peer()) {
            AwaitingClient client = ask("POST", "body");
            peer.request();
            int port = engine.agentAddress().getPort();
            engine.close();
            engine.close();
            assertEquals("502 peer-gone", client.awaited());
            requireDropped(peer);
            try (ProxyEngine next = ProxyEngine.start(config(port), ended::add)) {
                assertEquals(port, next.agentAddress().getPort());
                assertEquals("127.0.0.1:" + port, next.status().agentAddress());
            }
        }
    }

    @Test
    void aPortThatIsTakenIsSaidAtOnce() {
        int port = engine.agentAddress().getPort();
        assertThrows(IOException.class, () -> ProxyEngine.start(config(port), ended::add));
    }

    @Test
    void limitsAreChecked() {
        EngineConfig good = config(0);
        for (int[] bad : new int[][] {{0, 1, 1}, {1, -1, 1}, {1, 1, 0}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            new EngineConfig(
                                    good.agent(),
                                    good.contexts(),
                                    good.spool(),
                                    bad[0],
                                    bad[1],
                                    bad[2]));
        }
    }
}
