package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.MultiplexedPeer.frame;
import static org.lrwp.engine.testkit.MultiplexedPeer.u32;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.util.List;

/** What becomes of requests when their LRWP 3 peer fails. */
class Lrwp3FaultTest {
    private static final String HEAD = "Content-Type: text/plain\n\n";

    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();

    private MultiplexedPeer peer() {
        return MultiplexedPeer.anOpenPeer(engine, work, MultiplexedPeer.settings(2));
    }

    private boolean hasMoved(Exchange exchange) {
        boolean moved = exchange.state() == ExchangeState.QUEUED;
        assertEquals(moved, context.calls().contains("resubmit"));
        return moved;
    }

    // ---- The end of a connection.

    @ParameterizedTest
    @CsvSource({
        // method, started frame, in order, moves
        "POST, false, true,  true",
        "POST, true,  true,  false",
        "POST, false, false, false",
        "POST, true,  false, false",
        "GET,  true,  true,  true",
        "GET,  false, false, true",
    })
    void whetherARequestMovesDependsOnWhetherItMayHaveStarted(
            String method, boolean started, boolean inOrder, boolean moves) {
        MultiplexedPeer peer = peer();
        Exchange exchange = peer.give(method, "body", context, client);
        if (started) {
            peer.sends(FrameType.STARTED, 1, "");
        }
        if (inOrder) {
            peer.link().ends();
        } else {
            peer.link().breaks();
        }
        engine.loop().run();

        assertEquals(moves, hasMoved(exchange));
        assertEquals(moves ? null : Failure.PEER_GONE, client.failure());
        assertEquals(
                List.of("leaving", "gone"),
                work.calls().subList(work.calls().size() - 2, work.calls().size()));
        assertTrue(peer.link().isClosed());
    }

    /** A program that was killed had more than one connection, and not all have been looked at. */
    @Test
    void aMovedRequestIsNotGivenToAConnectionThatHasEndedToo() {
        MultiplexedPeer first = peer();
        MultiplexedPeer second = peer();
        Exchange exchange = first.give("GET", "", context, client);
        first.link().ends();
        engine.loop().run();
        second.frames();

        second.link().endsUnseen();
        second.give(exchange);

        assertEquals(List.of(), second.frames());
        assertEquals(ExchangeState.QUEUED, exchange.state(), "it was started once");
        MultiplexedPeer third = peer();
        third.frames();
        third.give(exchange);
        third.answers(1, "whole");
        assertEquals(200, client.head().status());
    }

    @Test
    void aPeerThatDoesNotSayWhatItStartsIsNotTrusted() {
        var settings = new PeerSettings("old", 1, 65_536, 65_536, false, false, false);
        MultiplexedPeer peer = MultiplexedPeer.anOpenPeer(engine, work, settings);
        peer.give("POST", "body", context, client);
        peer.link().ends();
        assertEquals(Failure.PEER_GONE, client.failure());
    }

    @Test
    void anEndInsideAFrameIsNoEndInOrder() {
        MultiplexedPeer peer = peer();
        peer.give("POST", "body", context, client);
        peer.link().arrives(frame(FrameType.RESPONSE, true, 1, HEAD).substring(0, 15));
        peer.link().ends();
        assertEquals(Failure.PEER_GONE, client.failure());
    }

    @Test
    void aRequestInTheProxysOwnQueueWasNeverSent() {
        MultiplexedPeer peer = peer();
        peer.link().takesOnly(5);
        peer.give("POST", "first", context, client);
        Exchange second = peer.give("POST", "second", context, new RecordingClient());
        peer.link().breaks();
        engine.loop().run();
        assertTrue(hasMoved(second));
        assertFalse(client.isAnswered());
    }

    @Test
    void whatWasReadyToGoOutIsNotTakenFromTheBodyThatMovesOn() {
        var settings = new PeerSettings("small", 1, 65_536, 10, true, false, true);
        MultiplexedPeer peer = MultiplexedPeer.anOpenPeer(engine, work, settings);
        Exchange exchange = engine.open("PUT", context, client);
        assertTrue(exchange.body().receive(TestEngine.bytes("0123456789")));
        assertTrue(exchange.body().receive(TestEngine.bytes(" and more")));
        exchange.body().whole();
        peer.give(exchange);
        peer.link().arrives(frame(FrameType.WINDOW, false, 1, u32(5)));
        peer.link().ends();
        engine.loop().run();
        assertTrue(hasMoved(exchange));

        MultiplexedPeer next = peer();
        next.give(exchange);
        assertEquals(List.of("1 REQUEST END ID=r1||0123456789 and more"), next.frames());
    }

    @Test
    void anAnswerThatHasBegunIsCut() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.sends(FrameType.RESPONSE, 1, HEAD + "half");
        peer.link().ends();
        assertEquals("half", client.read());
        assertEquals(BodyEnding.BROKEN, client.ending());
    }

    @Test
    void anAnswerThatIsWholeButForItsEndIsNotCut() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.sends(FrameType.RESPONSE, 1, "Content-Length: 4\n\nfour");
        peer.link().breaks();
        engine.loop().run();
        assertEquals("four", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
    }

    @Test
    void whatThePeerSaidBeforeWritingFailedStillCounts() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.link().failsToWrite();
        peer.link().arrivesUnseen(frame(FrameType.RESPONSE, true, 1, HEAD + "in time"));
        peer.give("GET", "", context, new RecordingClient());
        assertEquals("in time", client.read());
        assertTrue(peer.link().isClosed());
    }

    // ---- Refusals and cancels.

    @Test
    void aRefusedRequestMovesAndNeverComesBackToThisPeer() {
        MultiplexedPeer peer = peer();
        Exchange exchange = peer.give("POST", "body", context, client);
        peer.sends(FrameType.REFUSED, 1, "busy");
        assertTrue(hasMoved(exchange));
        assertTrue(exchange.tries().isRefusedBy(peer.connection()));
        assertEquals(2, peer.connection().free());
    }

    @Test
    void aRefusalAfterTheDrainIsNone() {
        MultiplexedPeer peer = peer();
        Exchange exchange = peer.give("POST", "body", context, client);
        peer.sends(FrameType.DRAIN, 0, "");
        peer.sends(FrameType.REFUSED, 1, "leaving");
        assertTrue(hasMoved(exchange));
        assertFalse(exchange.tries().isRefused());
    }

    @Test
    void aRefusalOfANumberAboveTheCapacityIsNone() {
        MultiplexedPeer peer = peer();
        peer.give("POST", "body", context, new RecordingClient());
        Exchange second = peer.give("POST", "body", context, client);
        peer.sends(FrameType.CAPACITY, 0, u32(1));
        peer.sends(FrameType.REFUSED, 2, "too many");
        assertTrue(hasMoved(second));
        assertFalse(second.tries().isRefused());
    }

    @Test
    void aPeerThatGivesUpBeforeItsAnswerCostsIts502() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.sends(FrameType.CANCEL, 1, "disk full");
        assertEquals(Failure.PEER_CANCELLED, client.failure());
        assertEquals(2, peer.connection().free());
        assertFalse(peer.link().isClosed());
    }

    @Test
    void aPeerThatGivesUpInItsAnswerCutsItsClient() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.sends(FrameType.RESPONSE, 1, HEAD + "half");
        peer.sends(FrameType.CANCEL, 1, "disk full");
        assertEquals("half", client.read());
        assertEquals(BodyEnding.BROKEN, client.ending());
    }

    @Test
    void aRefusalAfterOurCancelOnlyFreesTheSlot() {
        MultiplexedPeer peer = peer();
        Exchange exchange = peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.STARTED, 1, "");
        exchange.clientGone(Failure.CLIENT_GONE);
        engine.loop().run();
        peer.frames();
        peer.sends(FrameType.REFUSED, 1, "late");
        assertEquals(List.of(), peer.frames());
        assertEquals(0, peer.connection().status().busy());
        assertEquals("open", peer.connection().status().state());
    }

    @Test
    void aPeersWordsAfterOurCancelOnlyFreeTheSlot() {
        for (FrameType type : List.of(FrameType.CANCEL, FrameType.REFUSED)) {
            MultiplexedPeer peer = peer();
            Exchange exchange = peer.give("GET", "", context, new RecordingClient());
            exchange.clientGone(Failure.CLIENT_GONE);
            engine.loop().run();
            peer.sends(FrameType.WINDOW, 1, u32(10));
            peer.sends(type, 1, "stopped");
            assertEquals(2, peer.connection().free());
            assertFalse(peer.link().isOutputShut());
        }
        assertFalse(context.calls().contains("resubmit"));
    }

    // ---- Answers that break a rule of their own.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no blank line",
                "<html>",
                "HTTP/1.1 200 OK\n\n",
                "Status: 100\n\n",
                "colonless\n\n",
            })
    void aBrokenHeadCostsTheRequestAndNotTheConnection(String head) {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.RESPONSE, 1, head);
        assertEquals(Failure.BROKEN_HEAD, client.failure());
        assertTrue(peer.frames().getFirst().startsWith("1 CANCEL broken head"));
        assertEquals(1, peer.connection().free());
        peer.ends(FrameType.DATA, 1, "rest");
        assertEquals(2, peer.connection().free());

        var second = new RecordingClient();
        peer.give("GET", "", context, second);
        peer.ends(FrameType.RESPONSE, 1, head);
        assertEquals(Failure.BROKEN_HEAD, second.failure());
        assertEquals(2, peer.connection().free());
    }

    @Test
    void anAnswerShorterThanItSaidIsCut() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.ends(FrameType.RESPONSE, 1, "Content-Length: 10\n\nfour");
        assertEquals(10, client.head().contentLength());
        assertEquals(BodyEnding.BROKEN, client.ending());
        assertFalse(peer.link().isOutputShut());
    }

    @Test
    void whatIsBeyondTheLengthIsDroppedAndTheClientHasItsWholeAnswer() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.RESPONSE, 1, "Content-Length: 4\n\nfour and more");
        assertEquals("four", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        assertTrue(peer.frames().getFirst().startsWith("1 CANCEL more bytes"));
    }

    @Test
    void theBodyOfAHeadAnswerIsDroppedAndGranted() {
        MultiplexedPeer peer = peer();
        peer.give("HEAD", "", context, client);
        peer.frames();
        peer.sends(FrameType.RESPONSE, 1, "Content-Length: 5\n\n");
        peer.sends(FrameType.DATA, 1, "x".repeat(40_000));
        assertEquals(List.of("1 WINDOW 40000"), peer.frames());
        peer.ends(FrameType.DATA, 1, "");
        assertEquals("", client.read());
        assertEquals(5, client.head().contentLength());
        assertEquals(BodyEnding.COMPLETE, client.ending());
    }

    // ---- Time.

    @Test
    void theEndOfAnAnswerToHeadSaysNoLength() {
        MultiplexedPeer peer = peer();
        peer.give("HEAD", "", context, client);
        peer.ends(FrameType.RESPONSE, 1, "Content-Type: text/plain\n\n");
        assertEquals(-1, client.head().contentLength());
    }

    @Test
    void aRequestHeadThatDoesNotFitThePeersFramesIsNotSent() {
        var settings = new PeerSettings("small", 1, 65_536, 65_536, true, false, true);
        MultiplexedPeer peer = MultiplexedPeer.anOpenPeer(engine, work, settings);
        Exchange exchange = engine.submit("x".repeat(1), "", context, client);
        peer.give(exchange);
        assertEquals(1, peer.frames().size());
    }
}
