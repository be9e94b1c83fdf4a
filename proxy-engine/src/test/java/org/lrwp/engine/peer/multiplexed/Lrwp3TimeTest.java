package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.time.Duration;
import java.util.List;

/** What becomes of LRWP 3 peers that are late, and of their requests. */
class Lrwp3TimeTest {
    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();

    private MultiplexedPeer peer() {
        return MultiplexedPeer.anOpenPeer(engine, work, MultiplexedPeer.settings(2));
    }

    @Test
    void aPeerThatDoesNotAnswerInTimeCosts504AndKeepsItsConnection() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        for (int i = 0; i < 6; i++) {
            peer.sends(FrameType.PONG, 0, "12345678");
            engine.pass(Duration.ofSeconds(9));
        }
        assertFalse(client.isAnswered());
        peer.sends(FrameType.PONG, 0, "12345678");
        engine.pass(Duration.ofSeconds(7));
        assertEquals(Failure.PEER_TIMEOUT, client.failure());
        assertTrue(peer.frames().contains("1 CANCEL no answer in time"));
        assertFalse(peer.link().isClosed());
    }

    @Test
    void aPeerThatTakesNoBytesIsClosedAndItsUnsentRequestsMove() {
        MultiplexedPeer peer = peer();
        peer.link().takesOnly(0);
        Exchange exchange = peer.give("POST", "body", context, client);
        engine.pass(TestEngine.SEND_TIME.plusMillis(50));
        assertTrue(peer.link().isClosed());
        assertEquals(ExchangeState.QUEUED, exchange.state());
    }

    @Test
    void aPeerThatTakesLittleButAllTheTimeIsKept() {
        MultiplexedPeer peer = MultiplexedPeer.anOpenPeer(engine, work, window(65_536));
        peer.link().takesOnly(10);
        peer.give("POST", "x".repeat(60_000), context, client);
        for (int i = 0; i < 3; i++) {
            engine.pass(Duration.ofSeconds(8));
            peer.link().takesOnly(10);
            engine.pass(Duration.ofSeconds(2));
        }
        assertFalse(peer.link().isClosed());
        engine.pass(Duration.ofSeconds(11));
        assertTrue(peer.link().isClosed());
    }

    @Test
    void aPeerThatGrantsNoWindowHasTheSendTimeAndNotTheResponseTime() {
        MultiplexedPeer peer = MultiplexedPeer.anOpenPeer(engine, work, window(0));
        Exchange put = peer.give("PUT", "body", context, client);
        RecordingClient other = new RecordingClient();
        peer.give("POST", "body", context, other);
        peer.frames();
        engine.pass(TestEngine.SEND_TIME.minusMillis(1));
        assertEquals(List.of(), peer.frames());
        engine.pass(Duration.ofMillis(30));
        assertEquals(
                List.of("1 CANCEL no window in time", "2 CANCEL no window in time"), peer.frames());
        assertEquals(ExchangeState.QUEUED, put.state());
        assertEquals(Failure.PEER_STALLED, other.failure());
        assertFalse(peer.link().isClosed());
    }

    @Test
    void aPeerThatSendsNoSettingsIsToldSo() {
        MultiplexedPeer peer = MultiplexedPeer.aPeer(engine, work, MultiplexedPeer.everything(), 1);
        peer.connection().start();
        peer.frames();
        engine.pass(Duration.ofSeconds(5));
        assertEquals(List.of("0 ERROR no SETTINGS in time"), peer.frames());
        assertTrue(peer.link().isOutputShut());
        engine.pass(Duration.ofSeconds(1));
        assertTrue(peer.link().isClosed());
    }

    @Test
    void aWindowBehindTheWholeRequestDoesNotProlongIt() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.frames();
        for (int i = 0; i < 7; i++) {
            peer.sends(FrameType.WINDOW, 1, MultiplexedPeer.u32(1));
            engine.pass(Duration.ofSeconds(9));
        }
        assertEquals(Failure.PEER_TIMEOUT, client.failure());
    }

    /** A peer that is not pinged. */
    private static PeerSettings window(long bytes) {
        PeerSettings usual = MultiplexedPeer.settings(2);
        return new PeerSettings(
                usual.name(),
                usual.capacity(),
                usual.maxFrame(),
                bytes,
                usual.started(),
                usual.stream(),
                false);
    }
}
