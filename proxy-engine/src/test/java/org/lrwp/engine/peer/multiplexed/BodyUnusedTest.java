package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.testkit.FakeSlot;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Whoever gave a whole body learns that nothing refers to its bytes any more: the next request's
 * may then be in the same memory, and no byte of them may reach the peer of this one.
 */
class BodyUnusedTest {
    private static final String BODY = "0123456789abcdef";

    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();
    private final byte[] bytes = BODY.getBytes(StandardCharsets.US_ASCII);
    private final ByteBuffer memory = ByteBuffer.wrap(bytes);
    private int unused;

    /** The memory is used again at once, by somebody else's bytes. */
    private void useAgain() {
        unused++;
        Arrays.fill(bytes, (byte) 'X');
    }

    private MultiplexedPeer peer(long window) {
        return MultiplexedPeer.anOpenPeer(
                engine, work, new PeerSettings("test", 2, 65_536, window, true, false, true));
    }

    private Exchange whole() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().receiveWhole(memory, Handover.ofUnused(memory), this::useAgain);
        return exchange;
    }

    private Exchange given(MultiplexedPeer peer) {
        Exchange exchange = whole();
        PeerSlot slot = peer.connection().claim();
        assertTrue(slot != null && slot.send(exchange));
        engine.loop().run();
        return exchange;
    }

    @Test
    void whenItsAnswerIsDelivered() {
        MultiplexedPeer peer = peer(PeerSettings.UNLIMITED);
        Exchange exchange = given(peer);
        assertTrue(peer.frames().getLast().endsWith(BODY));
        peer.answers(1, "answer");
        assertEquals(0, unused);

        exchange.delivered();

        assertEquals(1, unused);
        exchange.delivered();
        exchange.clientGone(Failure.CLIENT_GONE);
        assertEquals(1, unused);
    }

    @Test
    void aPeerThatAnswersBeforeItHasAllGetsNoByteOfTheNextOne() {
        MultiplexedPeer peer = peer(10);
        Exchange exchange = given(peer);
        assertTrue(peer.frames().getLast().endsWith("0123456789"));
        peer.answers(1, "early");
        exchange.delivered();
        assertEquals(1, unused);

        peer.sends(FrameType.WINDOW, 1, MultiplexedPeer.u32(100));
        engine.loop().run();

        assertTrue(peer.frames().stream().noneMatch(frame -> frame.contains("X")));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3})
    void noByteOfTheNextOneGoesOutWhenThePeerTakesBytesAgain(long before) {
        MultiplexedPeer peer = peer(10);
        Exchange exchange = given(peer);
        peer.frames();
        peer.link().takesOnly(before);
        peer.sends(FrameType.WINDOW, 1, MultiplexedPeer.u32(4));
        peer.answers(1, "early");
        exchange.delivered();
        assertEquals(1, unused);

        peer.link().takes(1_000);
        engine.loop().run();

        assertTrue(peer.frames().stream().noneMatch(frame -> frame.contains("X")));
    }

    @Test
    void notWhenThePeerIsLostAndAnotherGetsIt() {
        MultiplexedPeer lost = peer(PeerSettings.UNLIMITED);
        Exchange exchange = given(lost);
        lost.link().ends();
        assertEquals(0, unused);

        MultiplexedPeer next = peer(PeerSettings.UNLIMITED);
        PeerSlot slot = next.connection().claim();
        assertTrue(slot != null && slot.send(exchange));
        engine.loop().run();
        assertTrue(next.frames().getLast().endsWith(BODY));
        next.answers(1, "answer");
        exchange.delivered();
        assertEquals(1, unused);
    }

    @Test
    void notWhenTheClientLeaves() {
        MultiplexedPeer peer = peer(PeerSettings.UNLIMITED);
        Exchange exchange = given(peer);
        exchange.clientGone(Failure.CLIENT_GONE);
        peer.answers(1, "late");
        engine.loop().run();
        assertEquals(0, unused);
    }

    @Test
    void notWhenSomebodyReadsItWhoMayKeepItsBytes() {
        Exchange exchange = whole();
        Attempt attempt = Objects.requireNonNull(exchange.assign(new FakeSlot("peer-1")));
        ByteBuffer kept = attempt.frameBody().poll();
        attempt.head(new CgiHead(200, "", List.of(), null), 0);
        attempt.answered();
        attempt.end();
        exchange.delivered();

        assertEquals(0, unused);
        assertEquals(TestEngine.bytes(BODY), kept);
    }
}
