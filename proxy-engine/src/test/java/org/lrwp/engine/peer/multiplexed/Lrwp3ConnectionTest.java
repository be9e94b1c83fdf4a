package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.MultiplexedPeer.frame;
import static org.lrwp.engine.testkit.MultiplexedPeer.u32;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.time.Duration;
import java.util.List;

/** What an LRWP 3 peer and its requests see of each other when both keep to the rules. */
class Lrwp3ConnectionTest {
    private static final String HEAD = "Content-Type: text/plain\n\n";

    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();

    private MultiplexedPeer peer(PeerSettings settings) {
        return MultiplexedPeer.anOpenPeer(engine, work, settings);
    }

    @Test
    void theProxySendsItsSettingsAtOnceAndNoRequestBeforeThePeersHaveCome() {
        MultiplexedPeer peer = MultiplexedPeer.aPeer(engine, work, MultiplexedPeer.everything(), 1);
        peer.connection().start();
        assertEquals(
                List.of(
                        "0 SETTINGS"
                            + " name=\0max-frame=65536\0window=65536\0ping=10\0connections=1\0"),
                peer.frames());
        assertNull(peer.connection().claim());
        assertEquals("", peer.connection().status().program());

        peer.greets(MultiplexedPeer.settings(2));

        assertEquals(2, peer.connection().free());
        assertEquals("open", peer.connection().status().state());
        assertEquals("test", peer.connection().status().program());
    }

    @Test
    void aWholeRequestGoesAsOneFrameAndAWholeAnswerComesAsOne() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(2));
        Exchange exchange = peer.give("POST", "body", context, client);
        assertEquals(List.of("1 REQUEST END ID=r1||body"), peer.frames());

        peer.answers(1, "answer");

        assertEquals("answer", client.read());
        assertEquals(6, client.head().contentLength());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        exchange.delivered();
        assertEquals(ExchangeState.DONE, exchange.state());
        assertEquals(2, peer.connection().free());
        assertEquals(1, peer.connection().status().served());
        assertTrue(peer.frames().isEmpty());
    }

    @Test
    void answersMayComeOutOfOrderAndNumbersAreUsedAgain() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(2));
        var second = new RecordingClient();
        peer.give("GET", "", context, client);
        peer.give("GET", "", context, second);
        assertEquals(List.of("1 REQUEST END ID=r1||", "2 REQUEST END ID=r2||"), peer.frames());
        assertNull(peer.connection().claim());

        peer.answers(2, "two");
        assertEquals("two", second.read());
        assertFalse(client.isAnswered());

        peer.give("GET", "", context, new RecordingClient());
        assertEquals(List.of("2 REQUEST END ID=r3||"), peer.frames());
    }

    @Test
    void whatIsReadyInOneRoundGoesOutInOneWrite() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(3));
        int before = peer.link().writes();
        for (int i = 0; i < 3; i++) {
            Exchange exchange = engine.submit("GET", "", context, new RecordingClient());
            PeerSlot slot = peer.connection().claim();
            assertTrue(slot != null && slot.send(exchange));
        }

        engine.loop().run();

        assertEquals(1, peer.link().writes() - before);
        assertEquals(3, peer.frames().size());
    }

    @Test
    void aBodyGoesAsFarAsTheWindowAndOneStreamWaitsAlone() {
        var settings = new PeerSettings("test", 2, 65_536, 10, true, false, true);
        MultiplexedPeer peer = peer(settings);
        peer.give("POST", "0123456789abcdef", context, client);
        peer.give("POST", "short", context, new RecordingClient());
        assertEquals(
                List.of("1 REQUEST ID=r1||0123456789", "2 REQUEST END ID=r2||short"),
                peer.frames());

        peer.sends(FrameType.WINDOW, 1, u32(4));
        assertEquals(List.of("1 DATA abcd"), peer.frames());
        peer.sends(FrameType.WINDOW, 1, u32(100));
        assertEquals(List.of("1 DATA END ef"), peer.frames());
    }

    @Test
    void dataIsCutSoThatStreamsTakeTurns() {
        var settings =
                new PeerSettings("test", 2, 65_536, PeerSettings.UNLIMITED, true, false, true);
        MultiplexedPeer peer = peer(settings);
        String large = "x".repeat(100_000);
        for (int i = 0; i < 2; i++) {
            Exchange exchange = engine.submit("POST", large, context, new RecordingClient());
            PeerSlot slot = peer.connection().claim();
            assertTrue(slot != null && slot.send(exchange));
        }

        List<String> order =
                peer.frames().stream().map(frame -> frame.substring(0, 6)).distinct().toList();
        assertEquals(List.of("1 REQU", "1 DATA", "2 REQU", "2 DATA"), order);
        peer.answers(1, "");
        assertTrue(peer.frames().isEmpty());
    }

    @Test
    void aStreamedAnswerStartsWithItsFirstBytesAndNeedsNoLength() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(1));
        peer.give("GET", "", context, client);

        peer.sends(FrameType.RESPONSE, 1, HEAD);
        assertEquals(-1, client.head().contentLength());
        peer.sends(FrameType.DATA, 1, "one ");
        assertEquals("one ", client.read());
        peer.ends(FrameType.DATA, 1, "two");

        assertEquals("one two", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        assertEquals(1, peer.connection().free());
    }

    @Test
    void thePeerGetsWindowForWhatWasTakenEvenIfItsClientReadsNothing() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(1));
        peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.RESPONSE, 1, HEAD);
        for (int i = 0; i < 8; i++) {
            peer.sends(FrameType.DATA, 1, "x".repeat(16_384));
        }

        assertEquals(List.of(), without(peer.frames(), "1 WINDOW 32768"));
        assertEquals(8 * 16_384, client.read().length());
    }

    @Test
    void aStreamingPeerGetsWindowOnlyForWhatItsClientHasTaken() {
        MultiplexedPeer peer = peer(MultiplexedPeer.streaming(1));
        peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.RESPONSE, 1, HEAD);
        for (int i = 0; i < 4; i++) {
            peer.sends(FrameType.DATA, 1, "x".repeat(16_384));
        }
        assertEquals(List.of(), peer.frames());
        engine.pass(TestEngine.RESPONSE_TIME.plusSeconds(1));
        assertEquals(BodyEnding.OPEN, client.ending());

        assertEquals(65_536, client.read().length());
        assertEquals(List.of("0 PING"), onlyTypes(peer.frames(), "PING"));
        peer.sends(FrameType.DATA, 1, "y".repeat(10));
        assertEquals(65_546, client.read().length());
    }

    private static List<String> without(List<String> frames, String known) {
        return frames.stream().filter(frame -> !frame.equals(known)).toList();
    }

    private static List<String> onlyTypes(List<String> frames, String type) {
        return frames.stream()
                .filter(frame -> frame.contains(type))
                .map(frame -> frame.substring(0, 2 + type.length()))
                .distinct()
                .toList();
    }

    @Test
    void aStreamingPeerGetsABodyAsItComes() {
        MultiplexedPeer peer = peer(MultiplexedPeer.streaming(1));
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().expect(10);
        peer.give(exchange);
        assertEquals(List.of("1 REQUEST ID=r1||"), peer.frames());

        assertTrue(exchange.body().receive(TestEngine.bytes("01234")));
        assertEquals(List.of("1 DATA 01234"), peer.frames());
        assertTrue(exchange.body().receive(TestEngine.bytes("56789")));
        exchange.body().whole();
        assertEquals(List.of("1 DATA END 56789"), peer.frames());
        peer.answers(1, "done");
        assertEquals("done", client.read());
    }

    @Test
    void anEarlyAnswerEndsTheRequestAndFreesTheSlot() {
        MultiplexedPeer peer = peer(MultiplexedPeer.streaming(1));
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().expect(-1);
        peer.give(exchange);
        assertTrue(exchange.body().receive(TestEngine.bytes("half")));
        peer.frames();

        peer.answers(1, "enough");

        assertEquals("enough", client.read());
        assertFalse(exchange.body().receive(TestEngine.bytes("more")));
        assertEquals(List.of("1 CANCEL the stream has ended"), peer.frames());
        assertEquals(1, peer.connection().free());
        exchange.delivered();
    }

    @Test
    void aClientThatLeavesIsToldToThePeerWhoseEndFreesTheSlot() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(1));
        Exchange exchange = peer.give("GET", "", context, client);
        peer.frames();

        exchange.clientGone(Failure.CLIENT_GONE);
        assertEquals(List.of("1 CANCEL the request has ended"), peer.frames());
        assertEquals(0, peer.connection().free());
        assertEquals("r1", peer.connection().status().stuck().getFirst().id());

        peer.ends(FrameType.RESPONSE, 1, HEAD + "late");
        assertEquals(1, peer.connection().free());
        assertTrue(peer.connection().status().stuck().isEmpty());
        assertTrue(peer.frames().isEmpty());
    }

    @Test
    void aRequestThatWasNotSentIsTakenBackWithoutAWord() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(2));
        peer.link().takesOnly(5);
        peer.give("GET", "", context, new RecordingClient());
        Exchange second = peer.give("GET", "", context, client);

        second.clientGone(Failure.CLIENT_GONE);
        engine.loop().run();
        assertEquals(1, peer.connection().free());

        peer.link().takes(1_000);
        assertEquals(List.of("1 REQUEST END ID=r1||"), peer.frames());
    }

    @Test
    void aPeerThatIsPausedGetsNothingUntilItHasRoomAgain() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(2));
        peer.sends(FrameType.CAPACITY, 0, u32(0));
        assertNull(peer.connection().claim());
        work.calls().clear();

        peer.sends(FrameType.CAPACITY, 0, u32(1_000));

        assertEquals(List.of("free"), work.calls());
        assertEquals(100, peer.connection().free());
    }

    @Test
    void aPeerThatDrainsIsServedToItsLastAnswerAndThenClosed() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(2));
        peer.give("GET", "", context, client);
        peer.frames();

        peer.sends(FrameType.DRAIN, 0, "");
        assertNull(peer.connection().claim());
        assertTrue(work.calls().contains("leaving"));
        assertFalse(peer.link().isOutputShut());

        peer.answers(1, "last");
        assertEquals("last", client.read());
        assertTrue(peer.link().isOutputShut());
        assertEquals(List.of(), peer.frames());
        peer.link().ends();
        assertTrue(peer.link().isClosed());
        assertTrue(work.calls().contains("gone"));
    }

    @Test
    void aProxyThatDrainsSaysSoAndClosesAfterTheLastAnswer() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(2));
        peer.give("GET", "", context, client);
        peer.frames();

        peer.connection().drain();
        assertEquals(List.of("0 DRAIN"), peer.frames());
        peer.answers(1, "last");

        assertEquals("last", client.read());
        assertTrue(peer.link().isOutputShut());
        engine.pass(Duration.ofSeconds(1));
        assertTrue(peer.link().isClosed());
    }

    @Test
    void anIdlePeerThatIsDrainedGetsTheWordBeforeTheEnd() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(2));
        peer.connection().drain();
        assertEquals(List.of("0 DRAIN"), peer.frames());
        assertTrue(peer.link().isOutputShut());
    }

    @Test
    void aPingIsAnsweredWithItsBytes() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(1));
        peer.sends(FrameType.PING, 0, "12345678");
        assertEquals(List.of("0 PONG 12345678"), peer.frames());
    }

    @Test
    void aSilentPeerIsPingedAndThenGivenUp() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(1));
        peer.give("GET", "", context, client);
        peer.frames();
        engine.pass(Duration.ofSeconds(10));
        assertEquals(1, onlyTypes(peer.frames(), "PING").size());
        engine.pass(Duration.ofSeconds(9));
        peer.sends(FrameType.PONG, 0, "12345678");
        engine.pass(Duration.ofSeconds(9));
        assertTrue(peer.frames().isEmpty());
        assertFalse(peer.link().isClosed());

        engine.pass(Duration.ofSeconds(2));
        engine.pass(Duration.ofSeconds(11));
        assertTrue(peer.link().isClosed());
        assertTrue(context.calls().contains("resubmit"));
    }

    @Test
    void windowThatWasNotWrittenIsForgottenWithItsStream() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(1));
        peer.give("GET", "", context, client);
        peer.frames();
        peer.link().arrivesUnseen(frame(FrameType.RESPONSE, false, 1, HEAD));
        peer.link().arrivesUnseen(frame(FrameType.DATA, false, 1, "x".repeat(40_000)));
        peer.link().arrives(frame(FrameType.DATA, true, 1, ""));
        assertTrue(peer.frames().isEmpty());
        assertEquals(1, peer.connection().free());
    }
}
