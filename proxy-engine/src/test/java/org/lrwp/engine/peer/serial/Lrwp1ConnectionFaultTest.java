package org.lrwp.engine.peer.serial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.TestEngine.answer;
import static org.lrwp.engine.testkit.TestEngine.frame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;

import java.time.Duration;
import java.util.List;

/** What a peer that does not do what it should costs: at most its own request. */
class Lrwp1ConnectionFaultTest {
    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();
    private final PeerFixture peer = PeerFixture.aPeer(engine, work).settled();

    @AfterEach
    void nothingIsLeftInTheSpools() {
        assertEquals(0, engine.store().memoryBytes());
        assertEquals(0, engine.store().diskBytes());
    }

    private Exchange given(String method, String body) {
        Exchange exchange = engine.submit(method, body, context, client);
        peer.give(exchange, engine.loop());
        return exchange;
    }

    private void assertMovesOn(Exchange exchange) {
        assertEquals(List.of("free", "gone"), work.calls());
        assertEquals(ExchangeState.QUEUED, exchange.state());
        assertEquals(List.of("submit", "resubmit"), context.calls());
        exchange.clientGone(Failure.CLIENT_GONE);
    }

    private void assertFails(Exchange exchange, Failure failure) {
        assertEquals(ExchangeState.FAILED, exchange.state());
        assertEquals(failure, client.failure());
    }

    // ---- Before the request.

    @Test
    void bytesWhileIdleDropThePeer() {
        peer.link().arrives("\u00ff");
        peer.link().arrives("x");
        assertTrue(peer.link().isClosed());
        assertEquals(List.of("free", "gone"), work.calls());
        assertNull(peer.claim());
    }

    @Test
    void aRequestIsNotWrittenToAPeerThatHasJustLeft() {
        peer.link().endsUnseen();
        Exchange exchange = given("POST", "body");
        assertEquals("", peer.link().received());
        assertMovesOn(exchange);
    }

    @Test
    void aRequestIsNotWrittenToAConnectionThatIsBroken() {
        peer.link().breaksUnseen();
        Exchange exchange = given("POST", "body");
        assertMovesOn(exchange);
    }

    @Test
    void lateJunkIsNotTakenForAnAnswer() {
        Exchange first = given("GET", "");
        peer.link().arrives(answer("x"));
        client.read();
        first.delivered();
        peer.link().received();
        peer.link().arrivesUnseen(answer("junk"));
        var other = new RecordingClient();
        Exchange second = engine.submit("POST", "body", context, other);
        peer.give(second, engine.loop());

        assertEquals("", peer.link().received());
        assertTrue(peer.link().isClosed());
        assertEquals(ExchangeState.QUEUED, second.state());
        second.clientGone(Failure.CLIENT_GONE);
    }

    @Test
    void withoutTheLookARequestIsWrittenWhateverHasArrived() {
        var trusting =
                new PeerConfig(
                        TestEngine.RESPONSE_TIME,
                        TestEngine.SEND_TIME,
                        false,
                        65_536,
                        TestEngine.IDLE_TIME);
        PeerFixture other = PeerFixture.aPeer(engine, work, trusting, 2).settled();
        other.link().endsUnseen();
        Exchange exchange = engine.submit("POST", "body", context, client);
        other.give(exchange, engine.loop());
        assertEquals(TestEngine.frameHeadText("r1", 4) + "body", other.link().received());
        other.link().ends();
        assertFails(exchange, Failure.PEER_GONE);
    }

    @Test
    void aPeerThatIsClosedBetweenClaimAndRequestCostsNothing() {
        PeerSlot slot = peer.claim();
        Exchange exchange = engine.submit("POST", "body", context, client);
        peer.connection().close("test");
        if (slot == null || !slot.send(exchange)) {
            throw new AssertionError("not sent");
        }
        engine.loop().run();
        assertMovesOn(exchange);
    }

    // ---- While the request is written.

    @Test
    void aPeerThatLeavesBeforeItCanHaveStartedCostsNothing() {
        peer.link().takesOnly(10);
        Exchange exchange = given("POST", "body");
        peer.link().ends();
        assertMovesOn(exchange);
    }

    @Test
    void aPeerThatLeavesWithPartOfTheBodyMayHaveStarted() {
        peer.link().takesOnly(TestEngine.frameHeadText("r1", 4).length() + 1);
        Exchange exchange = given("POST", "body");
        peer.link().ends();
        assertFails(exchange, Failure.PEER_GONE);
        assertEquals(List.of("free", "gone"), work.calls());
    }

    @Test
    void aPeerThatLeavesWithTheWholeRequestMayHaveStarted() {
        Exchange post = given("POST", "");
        peer.link().ends();
        assertFails(post, Failure.PEER_GONE);
    }

    @Test
    void anIdempotentRequestGoesElsewhere() {
        Exchange exchange = given("PUT", "body");
        peer.link().breaks();
        assertMovesOn(exchange);
    }

    @Test
    void aPeerThatTakesNothingIsDropped() {
        peer.link().takesOnly(TestEngine.frameHeadText("r1", 4).length() + 1);
        Exchange exchange = given("POST", "body");
        engine.pass(TestEngine.SEND_TIME.minusMillis(1));
        peer.link().takes(1);
        engine.pass(TestEngine.SEND_TIME.minusMillis(1));
        assertFalse(peer.link().isClosed());
        engine.pass(Duration.ofMillis(1));
        assertTrue(peer.link().isClosed());
        assertFails(exchange, Failure.PEER_STALLED);
    }

    @Test
    void aPeerThatTakesNothingOfTheBodyCostsNothing() {
        peer.link().takesOnly(0);
        Exchange exchange = given("POST", "body");
        engine.pass(TestEngine.SEND_TIME);
        assertMovesOn(exchange);
    }

    @Test
    void aPeerThatBreaksWhileItIsWrittenToIsDropped() {
        peer.link().takesOnly(10);
        Exchange exchange = given("GET", "");
        peer.link().breaksUnseen();
        peer.link().takes(10);
        assertMovesOn(exchange);
    }

    @Test
    void aPeerThatAnswersEarlyAndTakesNoMoreIsDroppedWithoutHarm() {
        peer.link().takesOnly(30);
        Exchange exchange = given("POST", "x".repeat(1000));
        peer.link().arrives(answer("early"));
        engine.pass(TestEngine.SEND_TIME);
        assertTrue(peer.link().isClosed());
        assertEquals("early", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        exchange.delivered();
        assertEquals(List.of("answered"), engine.reasons());
    }

    @Test
    void bytesBehindAnEarlyAnswerDropThePeerWithoutHarm() {
        peer.link().takesOnly(30);
        Exchange exchange = given("POST", "x".repeat(1000));
        peer.link().arrives(answer("early"));
        peer.link().arrives("more");
        assertTrue(peer.link().isClosed());
        assertEquals("early", client.read());
        exchange.delivered();
    }

    // ---- While the answer is awaited.

    @Test
    void aPeerThatSaysNothingIsDroppedAfterTheResponseTime() {
        Exchange exchange = given("GET", "");
        engine.pass(TestEngine.RESPONSE_TIME.minusMillis(1));
        assertFalse(client.isAnswered());
        engine.pass(Duration.ofMillis(1));
        assertTrue(peer.link().isClosed());
        assertFails(exchange, Failure.PEER_TIMEOUT);
        assertEquals(List.of("submit", "ended peer-timeout"), context.calls());
    }

    @Test
    void theResponseTimeRunsFromTheLastByteOfTheAnswer() {
        Exchange exchange = given("GET", "");
        for (char digit : "000000042".toCharArray()) {
            engine.pass(TestEngine.RESPONSE_TIME.minusMillis(1));
            peer.link().arrives(String.valueOf(digit));
        }
        assertFalse(client.isAnswered());
        engine.pass(TestEngine.RESPONSE_TIME);
        assertFails(exchange, Failure.PEER_TIMEOUT);
    }

    @Test
    void theTimerOfOneRequestDoesNotEndTheNext() {
        Exchange first = given("GET", "");
        engine.pass(TestEngine.RESPONSE_TIME.minusSeconds(1));
        peer.link().arrives(answer("x"));
        client.read();
        first.delivered();
        var other = new RecordingClient();
        Exchange second = engine.submit("GET", "", context, other);
        peer.give(second, engine.loop());
        engine.pass(TestEngine.RESPONSE_TIME.minusSeconds(1));
        assertFalse(other.isAnswered());
        engine.pass(Duration.ofSeconds(1));
        assertEquals(Failure.PEER_TIMEOUT, other.failure());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"        5hello", "00000005xhello", "+00000005hello", "HTTP/1.1 200 OK"})
    void aLengthThatIsNotNineDigitsBreaksTheFrame(String bytes) {
        Exchange exchange = given("GET", "");
        peer.link().arrives(bytes);
        assertTrue(peer.link().isClosed());
        assertFails(exchange, Failure.BROKEN_FRAME);
    }

    @Test
    void aZeroLengthAnswerFailsAndKeepsThePeer() {
        Exchange exchange = given("GET", "");
        peer.link().arrivesByByte("000000000");
        assertFails(exchange, Failure.BROKEN_HEAD);
        assertFalse(peer.link().isClosed());
        assertEquals("idle", peer.state());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A: b\nno colon\n\nbody",
                "A: b\0c\n\nbody",
                "Content-Length: 5\n\nbody",
                "Content-Length: x\n\nbody",
                "Status: 99\n\nbody"
            })
    void aBrokenHeadFailsAndKeepsThePeer(String output) {
        Exchange exchange = given("GET", "");
        peer.link().arrivesByByte(frame(output));
        assertFails(exchange, Failure.BROKEN_HEAD);
        assertFalse(peer.link().isClosed());
        assertEquals("idle", peer.state());

        var other = new RecordingClient();
        Exchange next = engine.submit("GET", "", context, other);
        peer.give(next, engine.loop());
        peer.link().arrives(answer("fine"));
        assertEquals("fine", other.read());
        next.delivered();
    }

    @Test
    void aHeadAboveItsLimitFailsAndKeepsThePeer() {
        Exchange exchange = given("GET", "");
        peer.link().arrives(frame("A: " + "x".repeat(70_000) + "\n\nbody"));
        assertFails(exchange, Failure.BROKEN_HEAD);
        assertEquals("idle", peer.state());
    }

    @Test
    void aBrokenAnswerToHalfARequestDropsThePeer() {
        peer.link().takesOnly(30);
        Exchange exchange = given("POST", "x".repeat(1000));
        peer.link().arrives("000000100no colon\n\n");
        assertTrue(peer.link().isClosed());
        assertFails(exchange, Failure.BROKEN_HEAD);
    }

    @Test
    void aWholeBrokenAnswerToHalfARequestNeverShiftsTheNextRequest() {
        peer.link().takesOnly(30);
        Exchange exchange = given("POST", "x".repeat(1000));
        peer.link().arrives(frame("no colon\n\n"));
        assertFails(exchange, Failure.BROKEN_HEAD);
        peer.link().takes(100_000);
        assertTrue(peer.link().isClosed());
        assertEquals(List.of("broken-head"), engine.reasons());
    }

    @Test
    void bytesBehindTheAnswerDropThePeerAndTheClientGetsItsAnswer() {
        Exchange exchange = given("GET", "");
        peer.link().arrives(answer("x") + "more");
        assertTrue(peer.link().isClosed());
        assertEquals(List.of("free", "gone"), work.calls());
        assertEquals("x", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        exchange.delivered();
        assertEquals(List.of("answered"), engine.reasons());
    }

    @Test
    void aPeerThatLeavesInTheLengthHasBegunToAnswer() {
        Exchange exchange = given("GET", "");
        peer.link().arrives("0000");
        peer.link().ends();
        assertMovesOn(exchange);
    }

    @Test
    void aPeerThatLeavesInTheBodyBeforeTheClientHasSeenAnythingFailsAPost() {
        Exchange exchange = given("POST", "body");
        peer.link().arrives("000000100Content-Type: text/plain\n\nhalf");
        peer.link().ends();
        assertFails(exchange, Failure.PEER_GONE);
    }

    @Test
    void aPeerThatLeavesInTheBodyAfterTheAnswerStartedCutsTheClient() {
        Exchange exchange = given("GET", "");
        peer.link().arrives("000000100Content-Type: text/plain\n\nhalf");
        engine.pass(TestEngine.START_DELAY);
        peer.link().ends();
        assertEquals("half", client.read());
        assertEquals(BodyEnding.BROKEN, client.ending());
        assertEquals(ExchangeState.FAILED, exchange.state());
        exchange.clientGone(Failure.CLIENT_GONE);
    }

    @Test
    void aPeerThatLeavesBehindItsAnswerHarmsNobody() {
        Exchange exchange = given("GET", "");
        peer.link().arrivesUnseen(answer("x"));
        peer.link().ends();
        peer.link().ends();
        assertEquals("x", client.read());
        exchange.delivered();
        assertTrue(peer.link().isClosed());
    }

    @Test
    void closingAConnectionFailsItsRequestAndIsDoneOnce() {
        Exchange exchange = given("POST", "body");
        peer.connection().close("test");
        peer.connection().close("test");
        engine.loop().run();
        assertFails(exchange, Failure.PEER_GONE);
        assertEquals(List.of("free", "gone"), work.calls());
        engine.pass(TestEngine.RESPONSE_TIME);
        assertEquals(1, engine.records().size());
    }
}
