package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.time.Duration;
import java.util.Map;

/** One context with its peers: who gets which request, and when. */
class ContextAssistantTest {
    private final TestEngine engine = new TestEngine();
    private final ContextAssistantManager manager =
            new ContextAssistantManager(
                    new ContextConfigs(
                            TestEngine.contextConfig(false),
                            Map.of("/named", TestEngine.contextConfig(true))),
                    engine.time(),
                    engine.time());
    private int peers;

    /** A request and its client. */
    private record Asked(Exchange exchange, RecordingClient client) {
        boolean isWaiting() {
            return exchange.state() == ExchangeState.QUEUED;
        }

        boolean isSent() {
            return exchange.state() == ExchangeState.SENT;
        }
    }

    @BeforeEach
    void theContextIsKnown() {
        PeerFixture first = joins();
        leaves(first);
        assertNotNull(manager.match("", "/osp"));
    }

    private PeerFixture joins() {
        PeerFixture peer = PeerFixture.aPeer(engine, manager, TestEngine.peerConfig(), ++peers);
        manager.admit(peer.connection());
        manager.register(peer.connection(), ServedContext.of(PeerFixture.registration()), "test");
        peer.settled();
        engine.loop().run();
        return peer;
    }

    private void leaves(PeerFixture peer) {
        peer.link().ends();
        engine.loop().run();
    }

    private void answers(PeerFixture peer, Asked asked) {
        peer.link().arrives(TestEngine.answer("x"));
        assertEquals("x", asked.client().read());
        asked.exchange().delivered();
        engine.loop().run();
    }

    private Asked ask(String method) {
        ContextMatch match = manager.match("", "/osp");
        assertNotNull(match);
        var client = new RecordingClient();
        Exchange exchange = engine.submit(method, "", match.assistant(), client);
        engine.loop().run();
        return new Asked(exchange, client);
    }

    /** One that came after a change of the queue time. */
    private Asked askWithin(Duration queueTime) {
        ContextMatch match = manager.match("", "/osp");
        assertNotNull(match);
        var client = new RecordingClient();
        var limits = TestEngine.queueTime(queueTime);
        Exchange exchange = engine.open("GET", limits, match.assistant(), client);
        exchange.body().whole();
        engine.loop().run();
        return new Asked(exchange, client);
    }

    private ContextStatus status() {
        return manager.contexts().stream()
                .filter(one -> one.context().equals("/osp"))
                .findFirst()
                .orElseThrow();
    }

    // ---- Limits.

    private static ContextConfig withQueue(int length, boolean named) {
        ContextConfig usual = TestEngine.contextConfig(named);
        return new ContextConfig(
                usual.exchange(), usual.peer(), length, usual.grace(), usual.health(), named);
    }

    @Test
    void newLimitsHoldForWhatComesAndNamedContextsStayKnown() {
        joins();
        ask("GET");
        Asked waits = ask("GET");

        manager.limit(new ContextConfigs(withQueue(0, false), Map.of("/new", withQueue(3, true))));

        assertTrue(waits.isWaiting());
        assertEquals(ExchangeState.FAILED, ask("GET").exchange().state());
        assertNotNull(manager.match("", "/new"));
        assertNotNull(manager.match("", "/named"));
        assertEquals(3, manager.config("/new").queueLength());
        assertTrue(
                manager.match("", "/named").assistant().config().named(), "forgotten at a change");
    }

    // ---- Order.

    @Test
    void aFreePeerGetsTheRequestAtOnce() {
        PeerFixture peer = joins();
        Asked asked = ask("GET");
        assertTrue(asked.isSent());
        assertEquals(1, status().busy());
        answers(peer, asked);
        assertEquals(1, status().free());
        assertEquals(Map.of("answered", 1L), status().outcomes());
    }

    @Test
    void requestsAreServedInTheOrderOfTheirArrival() {
        PeerFixture peer = joins();
        Asked first = ask("GET");
        Asked second = ask("GET");
        Asked third = ask("GET");
        assertEquals(2, status().waiting());
        answers(peer, first);
        assertTrue(second.isSent());
        assertTrue(third.isWaiting());
        answers(peer, second);
        assertTrue(third.isSent());
        answers(peer, third);
        assertEquals(0, status().waiting());
    }

    @Test
    void aPeerThatJoinsTakesTheLongestWaiting() {
        Asked first = ask("GET");
        Asked second = ask("GET");
        PeerFixture peer = joins();
        assertTrue(first.isSent());
        assertTrue(second.isWaiting());
        PeerFixture other = joins();
        assertTrue(second.isSent());
        answers(peer, first);
        answers(other, second);
    }

    @Test
    void aSlotNeverIdlesWhileSomethingWaits() {
        PeerFixture peer = joins();
        Asked gone = ask("GET");
        Asked waits = ask("GET");
        Asked left = ask("GET");
        left.exchange().clientGone(Failure.CLIENT_GONE);
        waits.exchange().fail(Failure.INTERNAL);
        Asked last = ask("GET");
        answers(peer, gone);
        assertTrue(last.isSent());
        answers(peer, last);
        assertEquals(1, status().free());
        assertEquals(0, status().waiting());
    }

    @Test
    void aRequestThatItsPeerFailedGoesFirst() {
        PeerFixture peer = joins();
        PeerFixture other = joins();
        Asked first = ask("GET");
        Asked second = ask("GET");
        Asked third = ask("GET");
        leaves(peer);
        assertTrue(first.isWaiting());
        answers(other, second);
        assertTrue(first.isSent());
        assertTrue(third.isWaiting());
        answers(other, first);
        answers(other, third);
    }

    @Test
    void requestsThatTheirPeersFailedKeepTheirOrder() {
        PeerFixture peer = joins();
        PeerFixture other = joins();
        Asked first = ask("GET");
        engine.pass(Duration.ofSeconds(3));
        Asked second = ask("GET");
        leaves(peer);
        leaves(other);
        PeerFixture next = joins();
        assertTrue(first.isSent());
        assertTrue(second.isWaiting());
        answers(next, first);
        answers(next, second);
    }

    @Test
    void eachOfSeveralReturnedRequestsHasItsOwnDeadline() {
        PeerFixture peer = joins();
        PeerFixture other = joins();
        Asked first = ask("GET");
        engine.pass(Duration.ofSeconds(3));
        Asked second = ask("GET");
        leaves(peer);
        leaves(other);
        engine.pass(TestEngine.QUEUE_TIME.minusSeconds(3));
        assertEquals(Failure.WAITED_TOO_LONG, first.client().failure());
        assertTrue(second.isWaiting());
        engine.pass(Duration.ofSeconds(3));
        assertNotNull(second.client().failure());
    }

    // ---- Limits.

    @Test
    void aFullQueueRefusesAtOnce() {
        PeerFixture peer = joins();
        Asked first = ask("GET");
        for (int i = 0; i < 3; i++) {
            assertTrue(ask("GET").isWaiting());
        }
        assertEquals(Failure.QUEUE_FULL, ask("GET").client().failure());
        assertEquals(Map.of("answered", 0L, "queue-full", 1L), status().outcomes());
        leaves(peer);
        assertTrue(first.isWaiting());
        assertEquals(4, status().waiting());
    }

    @Test
    void aRequestWaitsUpToItsDeadline() {
        PeerFixture peer = joins();
        Asked served = ask("GET");
        Asked first = ask("GET");
        engine.pass(Duration.ofSeconds(4));
        Asked second = ask("GET");
        engine.pass(TestEngine.QUEUE_TIME.minusSeconds(4).minusNanos(1));
        assertTrue(first.isWaiting());
        engine.pass(Duration.ofNanos(1));
        assertEquals(Failure.WAITED_TOO_LONG, first.client().failure());
        assertTrue(second.isWaiting());
        engine.pass(Duration.ofSeconds(4));
        assertEquals(Failure.WAITED_TOO_LONG, second.client().failure());
        answers(peer, served);
    }

    @Test
    void aLoweredQueueTimeHoldsForRequestsBehindOlderOnes() {
        PeerFixture peer = joins();
        Asked served = ask("GET");
        Asked old = ask("GET");
        Asked first = askWithin(Duration.ofSeconds(2));
        engine.pass(Duration.ofSeconds(1));
        Asked second = askWithin(Duration.ofSeconds(2));
        engine.pass(Duration.ofSeconds(1));
        assertEquals(Failure.WAITED_TOO_LONG, first.client().failure());
        assertTrue(second.isWaiting());
        engine.pass(Duration.ofSeconds(1));
        assertEquals(Failure.WAITED_TOO_LONG, second.client().failure());
        assertTrue(old.isWaiting());
        engine.pass(TestEngine.QUEUE_TIME.minusSeconds(3));
        assertEquals(Failure.WAITED_TOO_LONG, old.client().failure());
        answers(peer, served);
    }

    @Test
    void aDeadlineHoldsAlsoForARequestThatComesBackLate() {
        PeerFixture peer = joins();
        Asked asked = ask("GET");
        engine.pass(TestEngine.QUEUE_TIME.plusSeconds(5));
        assertTrue(asked.isSent());
        leaves(peer);
        engine.pass(Duration.ZERO);
        assertEquals(Failure.WAITED_TOO_LONG, asked.client().failure());
    }

    // ---- Peers that come and go.

    @Test
    void requestsWaitForAPeerToComeBackDuringTheGraceTime() {
        PeerFixture peer = joins();
        leaves(peer);
        engine.pass(TestEngine.GRACE.minusSeconds(1));
        Asked asked = ask("POST");
        assertTrue(asked.isWaiting());
        assertFalse(status().served());
        PeerFixture back = joins();
        assertTrue(asked.isSent());
        engine.pass(TestEngine.GRACE.multipliedBy(2));
        assertNotNull(manager.match("", "/osp"));
        answers(back, asked);
    }

    @Test
    void afterTheGraceTimeTheContextIsGone() {
        PeerFixture peer = joins();
        Asked first = ask("GET");
        leaves(peer);
        engine.pass(TestEngine.GRACE.minusSeconds(1));
        ContextMatch known = manager.match("", "/osp");
        assertNotNull(known);
        Asked second = ask("GET");
        engine.pass(Duration.ofSeconds(1));
        assertNotNull(first.client().failure());
        assertEquals(Failure.NO_PEER, second.client().failure());
        assertNull(manager.match("", "/osp"));

        var late = new RecordingClient();
        engine.submit("GET", "", known.assistant(), late);
        assertEquals(Failure.NO_PEER, late.failure());
        PeerFixture back = joins();
        answers(back, ask("GET"));
    }

    @Test
    void theGraceTimeBeginsAnewWithEachLastPeer() {
        leaves(joins());
        engine.pass(TestEngine.GRACE.minusSeconds(1));
        leaves(joins());
        engine.pass(TestEngine.GRACE.minusSeconds(1));
        assertNotNull(manager.match("", "/osp"));
        engine.pass(Duration.ofSeconds(1));
        assertNull(manager.match("", "/osp"));
    }

    @Test
    void aContextKeepsServingWhenOneOfItsPeersLeaves() {
        PeerFixture peer = joins();
        PeerFixture other = joins();
        leaves(peer);
        engine.pass(TestEngine.GRACE.multipliedBy(2));
        answers(other, ask("GET"));
        assertEquals(1, status().connections());
    }

    @Test
    void aRequestThatFailsWithTheLastPeerAfterTheGraceTimeHasNowhereToGo() {
        PeerFixture peer = joins();
        Asked asked = ask("GET");
        ContextMatch match = manager.match("", "/osp");
        assertNotNull(match);
        manager.gone(peer.connection());
        engine.pass(TestEngine.GRACE);
        peer.link().ends();
        assertEquals(Failure.NO_PEER, asked.client().failure());
    }

    // ---- Named contexts.

    @Test
    void aNamedContextIsKnownWithoutPeers() {
        ContextMatch match = manager.match("", "/named/x");
        assertNotNull(match);
        assertTrue(match.assistant().config().named());
        var client = new RecordingClient();
        engine.submit("GET", "", match.assistant(), client);
        assertEquals(Failure.NO_PEER, client.failure());
    }

    @Test
    void aNamedContextOutlivesItsGraceTime() {
        var registration = new Registration(ProtocolVersion.LRWP_1, "named", "");
        PeerFixture peer = PeerFixture.aPeer(engine, manager, TestEngine.peerConfig(), 77);
        manager.admit(peer.connection());
        manager.register(peer.connection(), ServedContext.of(registration), "test");
        peer.settled();
        leaves(peer);
        ContextMatch match = manager.match("", "/named");
        assertNotNull(match);
        var client = new RecordingClient();
        Exchange exchange = engine.submit("GET", "", match.assistant(), client);
        assertEquals(ExchangeState.QUEUED, exchange.state());
        engine.pass(TestEngine.GRACE);
        assertEquals(match, manager.match("", "/named"));
        var later = new RecordingClient();
        engine.submit("GET", "", match.assistant(), later);
        assertEquals(Failure.NO_PEER, later.failure());
    }
}
