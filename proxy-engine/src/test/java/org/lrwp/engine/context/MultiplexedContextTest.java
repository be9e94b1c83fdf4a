package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.MultiplexedPeer.u32;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.OpenRegistrar;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Contexts whose peers have several slots, serve several contexts, refuse or want streams. */
class MultiplexedContextTest {
    private final TestEngine engine = new TestEngine();
    private final ContextAssistantManager manager =
            new ContextAssistantManager(
                    new ContextConfigs(TestEngine.contextConfig(false), Map.of()),
                    engine.time(),
                    engine.time());
    private int peers;

    private record Asked(Exchange exchange, RecordingClient client) {
        boolean isSent() {
            return exchange.state() == ExchangeState.SENT;
        }
    }

    private MultiplexedPeer joins(PeerSettings settings) {
        MultiplexedPeer peer = arrives();
        peer.greets(settings);
        peer.frames();
        return peer;
    }

    /** A peer that has said nothing since it was let in. */
    private MultiplexedPeer arrives() {
        MultiplexedPeer peer =
                MultiplexedPeer.aPeer(engine, manager, new OpenRegistrar(manager, "test"), ++peers);
        manager.admit(peer.connection());
        peer.connection().start();
        return peer;
    }

    private MultiplexedPeer joins(int capacity) {
        return joins(MultiplexedPeer.settings(capacity));
    }

    private Asked ask(String path) {
        var client = new RecordingClient();
        Exchange exchange = engine.submit("POST", "body", assistant(path), client);
        engine.loop().run();
        return new Asked(exchange, client);
    }

    private ContextAssistant assistant(String path) {
        ContextMatch match = manager.match("", path);
        assertNotNull(match);
        return match.assistant();
    }

    // ---- Slots.

    @Test
    void theConnectionWithTheLargestFreeShareIsPicked() {
        MultiplexedPeer small = joins(2);
        MultiplexedPeer large = joins(6);
        for (int i = 0; i < 4; i++) {
            ask("/osp");
        }
        assertEquals(1, small.frames().size());
        assertEquals(3, large.frames().size());
        for (int i = 0; i < 4; i++) {
            ask("/osp");
        }
        assertEquals(1, small.frames().size());
        assertEquals(3, large.frames().size());
        assertFalse(ask("/osp").isSent());
    }

    @Test
    void requestsWaitForTheSettingsOfAPeerThatHasBeenLetIn() {
        MultiplexedPeer peer = arrives();
        Asked asked = ask("/osp");
        assertFalse(asked.isSent());
        peer.greets(MultiplexedPeer.settings(1));
        assertTrue(asked.isSent());
    }

    @Test
    void oldAndNewPeersShareAContext() {
        MultiplexedPeer fresh = joins(1);
        PeerFixture old = PeerFixture.aPeer(engine, manager, TestEngine.peerConfig(), ++peers);
        manager.admit(old.connection());
        manager.register(old.connection(), ServedContext.of(PeerFixture.registration()), "test");
        old.settled();
        assertTrue(ask("/osp").isSent());
        assertTrue(ask("/osp").isSent());
        assertFalse(ask("/osp").isSent());
        assertEquals(1, fresh.frames().size());
        assertFalse(old.link().received().isEmpty());
    }

    @Test
    void aPeerThatGetsRoomTakesAllThatWait() {
        MultiplexedPeer peer = joins(0);
        Asked first = ask("/osp");
        Asked second = ask("/osp");
        peer.sends(FrameType.CAPACITY, 0, u32(2));
        assertTrue(first.isSent());
        assertTrue(second.isSent());
    }

    @Test
    void theLongestWaitingOfAllContextsOfAConnectionGoesFirst() {
        MultiplexedPeer peer = joins(1);
        peer.sends(FrameType.REGISTER, 0, "tep\u00ff\u00ff");
        ask("/osp");
        Asked tep = ask("/tep");
        engine.pass(Duration.ofMillis(1));
        Asked osp = ask("/osp");
        peer.frames();

        peer.answers(1, "x");
        assertTrue(tep.isSent());
        assertFalse(osp.isSent());
        peer.answers(1, "x");
        assertTrue(osp.isSent());
    }

    @Test
    void aContextThatIsUnregisteredIsKeptForTheGraceTime() {
        MultiplexedPeer peer = joins(1);
        peer.sends(FrameType.REGISTER, 0, "tep\u00ff\u00ff");
        peer.sends(FrameType.UNREGISTER, 0, "tep\u00ff\u00ff");
        Asked asked = ask("/tep");
        assertFalse(asked.isSent());
        engine.pass(TestEngine.GRACE);
        assertEquals(Failure.NO_PEER, asked.client().failure());
        assertNull(manager.match("", "/tep"));
        assertNotNull(manager.match("", "/osp"));
    }

    // ---- Refusals.

    @Test
    void aRefusedRequestGoesToAnotherPeerEvenIfTheFirstIsFree() {
        MultiplexedPeer first = joins(2);
        Asked asked = ask("/osp");
        MultiplexedPeer second = joins(2);
        first.frames();

        first.sends(FrameType.REFUSED, 1, "busy");
        assertTrue(asked.isSent());
        assertEquals(1, second.frames().size());
        second.answers(1, "done");
        assertEquals("done", asked.client().read());
        assertEquals(4, manager.contexts().getFirst().free());
    }

    @Test
    void aRequestThatAllRefuseGets503AtOnce() {
        MultiplexedPeer first = joins(1);
        MultiplexedPeer second = joins(1);
        Asked asked = ask("/osp");
        MultiplexedPeer has = first.frames().isEmpty() ? second : first;
        MultiplexedPeer other = has.equals(first) ? second : first;
        has.sends(FrameType.REFUSED, 1, "busy");
        other.sends(FrameType.REFUSED, 1, "busy");
        assertEquals(Failure.REFUSED, asked.client().failure());
        assertEquals(0, manager.waiting());
    }

    @Test
    void aRefusedRequestWaitsForABusyPeerThatMayTakeIt() {
        MultiplexedPeer busy = joins(1);
        ask("/osp");
        MultiplexedPeer refuser = joins(1);
        Asked asked = ask("/osp");
        refuser.sends(FrameType.REFUSED, 1, "busy");
        refuser.frames();
        assertFalse(asked.client().isAnswered());

        Asked later = ask("/osp");
        assertTrue(later.isSent());
        assertEquals(1, refuser.frames().size());
        busy.answers(1, "x");
        assertTrue(asked.isSent());
    }

    @Test
    void whenTheOnlyOtherPeerLeavesARefusedRequestGets503() {
        MultiplexedPeer busy = joins(1);
        ask("/osp");
        MultiplexedPeer refuser = joins(1);
        Asked asked = ask("/osp");
        refuser.sends(FrameType.REFUSED, 1, "busy");
        busy.sends(FrameType.DRAIN, 0, "");
        assertEquals(Failure.REFUSED, asked.client().failure());
    }

    // ---- Bodies that are still arriving.

    private Asked begin(long length) {
        var client = new RecordingClient();
        Exchange exchange = engine.open("POST", assistant("/osp"), client);
        exchange.body().expect(length);
        engine.loop().run();
        return new Asked(exchange, client);
    }

    @Test
    void aFreeStreamingPeerGetsTheRequestBeforeItsBody() {
        joins(1);
        MultiplexedPeer streaming = joins(MultiplexedPeer.streaming(1));
        Asked asked = begin(4);
        assertTrue(asked.isSent());
        assertEquals(List.of("1 REQUEST ID=r1||"), streaming.frames());

        Asked second = begin(4);
        assertEquals(ExchangeState.RECEIVING, second.exchange().state());
        assertTrue(second.exchange().body().receive(TestEngine.bytes("body")));
        second.exchange().body().whole();
        engine.loop().run();
        assertTrue(second.isSent());
    }

    @Test
    void aRequestThatAStreamingPeerRefusesWaitsForItsBodyAndGoesElsewhere() {
        MultiplexedPeer streaming = joins(MultiplexedPeer.streaming(1));
        MultiplexedPeer other = joins(1);
        Asked asked = begin(4);
        assertTrue(asked.exchange().body().receive(TestEngine.bytes("bo")));
        streaming.frames();
        streaming.sends(FrameType.REFUSED, 1, "no");
        assertEquals(List.of("1 CANCEL the stream has ended"), streaming.frames());
        assertEquals(ExchangeState.RECEIVING, asked.exchange().state());
        assertEquals(List.of(), other.frames());

        assertTrue(asked.exchange().body().receive(TestEngine.bytes("dy")));
        asked.exchange().body().whole();
        assertEquals(List.of("1 REQUEST END ID=r1||body"), other.frames());
    }

    @Test
    void aBodyOfUnknownLengthThatHasBeenStreamedIsNotRepeated() {
        MultiplexedPeer streaming = joins(MultiplexedPeer.streaming(1));
        joins(1);
        Asked asked = begin(-1);
        assertTrue(asked.exchange().body().receive(TestEngine.bytes("bo")));
        streaming.sends(FrameType.REFUSED, 1, "no");
        assertEquals(Failure.REFUSED, asked.client().failure());
    }

    @Test
    void aStreamedBodyThatIsLongerThanItsMemoryIsNotRepeated() {
        MultiplexedPeer streaming = joins(MultiplexedPeer.streaming(1));
        joins(1);
        Asked asked = begin(100_000);
        String piece = "x".repeat(20_000);
        for (int i = 0; i < 4; i++) {
            assertTrue(asked.exchange().body().receive(TestEngine.bytes(piece)));
            engine.loop().run();
            streaming.sends(FrameType.WINDOW, 1, u32(20_000));
        }
        streaming.link().ends();
        assertEquals(Failure.PEER_GONE, asked.client().failure());
    }

    @Test
    void aClientIsHeldBackByAPeerThatTakesNothing() {
        var settings = new PeerSettings("slow", 1, 65_536, 10, true, true, true);
        MultiplexedPeer streaming = joins(settings);
        Asked asked = begin(100_000);
        assertTrue(asked.exchange().body().hasRoom());
        for (int i = 0; i < 3; i++) {
            assertTrue(asked.exchange().body().receive(TestEngine.bytes("x".repeat(16_384))));
            engine.loop().run();
        }
        assertFalse(asked.exchange().body().hasRoom());
        int[] told = {0};
        asked.exchange().body().onRoom(() -> told[0]++);

        streaming.sends(FrameType.WINDOW, 1, u32(50_000));
        assertTrue(told[0] > 0);
        assertTrue(asked.exchange().body().hasRoom());
        asked.exchange().clientGone(Failure.CLIENT_GONE);
        engine.loop().run();
        assertTrue(streaming.frames().getLast().startsWith("1 CANCEL"));
    }

    @Test
    void aClientThatWasHeldBackGoesOnWhenItsPeerHasFailed() {
        var settings = new PeerSettings("slow", 1, 65_536, 10, true, true, true);
        MultiplexedPeer streaming = joins(settings);
        MultiplexedPeer other = joins(1);
        Asked asked = begin(3 * 16_384 + 4);
        for (int i = 0; i < 3; i++) {
            assertTrue(asked.exchange().body().receive(TestEngine.bytes("x".repeat(16_384))));
            engine.loop().run();
        }
        assertFalse(asked.exchange().body().hasRoom());
        int[] told = {0};
        asked.exchange().body().onRoom(() -> told[0]++);

        streaming.link().ends();
        engine.loop().run();
        assertEquals(1, told[0]);
        assertTrue(asked.exchange().body().hasRoom());
        assertTrue(asked.exchange().body().receive(TestEngine.bytes("last")));
        asked.exchange().body().whole();
        assertEquals(
                List.of("1 REQUEST END ID=r1||" + "x".repeat(3 * 16_384) + "last"), other.frames());
    }
}
