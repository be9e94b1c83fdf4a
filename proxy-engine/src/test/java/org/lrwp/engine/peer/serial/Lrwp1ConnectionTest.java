package org.lrwp.engine.peer.serial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.TestEngine.answer;
import static org.lrwp.engine.testkit.TestEngine.frame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Requests and answers of a peer that does what it should, however it cuts its bytes. */
class Lrwp1ConnectionTest {
    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();
    private final PeerFixture peer = PeerFixture.aPeer(engine, work);

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

    private void take(Exchange exchange, String expected) {
        assertEquals(expected, client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        exchange.delivered();
        assertEquals(ExchangeState.DONE, exchange.state());
    }

    // ---- Registration's end.

    @Test
    void aPeerIsNotFreeBeforeItHasSettled() {
        peer.connection().settle(Duration.ofMillis(50).toNanos());
        engine.pass(Duration.ofMillis(49));
        assertNull(peer.claim());
        assertEquals("settling", peer.state());
        assertEquals(0, peer.connection().status().busy());
        engine.pass(Duration.ofMillis(1));
        assertEquals(List.of("free"), work.calls());
        assertEquals(1, peer.connection().free());
        assertNotNull(peer.claim());
    }

    @Test
    void aPeerThatLeavesWhileItSettlesIsNeverFree() {
        peer.connection().settle(Duration.ofMillis(50).toNanos());
        peer.link().ends();
        engine.pass(Duration.ofSeconds(1));
        assertEquals(List.of("gone"), work.calls());
        assertEquals("closed", peer.state());
        assertNull(peer.claim());
    }

    @Test
    void bytesOfTheFilterAreSkippedUpToTheThirdDelimiter() {
        peer.settled();
        peer.link().arrivesByByte("*.xml");
        peer.link().arrives("\u00ff");
        assertFalse(peer.link().isClosed());
        peer.link().arrives("x");
        assertTrue(peer.link().isClosed());
    }

    @Test
    void aFilterMayHave1024Bytes() {
        peer.settled();
        peer.link().arrives("x".repeat(1024));
        assertFalse(peer.link().isClosed());
        peer.link().arrives("x");
        assertTrue(peer.link().isClosed());
    }

    @Test
    void aFilterThatHasArrivedUnseenIsSkippedBeforeTheFirstRequest() {
        peer.settled();
        peer.link().arrivesUnseen("filter\u00ff");
        Exchange exchange = given("GET", "");
        assertEquals(TestEngine.frameHeadText("r1", 0), peer.link().received());
        peer.link().arrives(answer("x"));
        take(exchange, "x");
    }

    @Test
    void thereIsNoFilterAfterTheFirstRequest() {
        peer.settled();
        Exchange exchange = given("GET", "");
        peer.link().arrives(answer("x"));
        take(exchange, "x");
        peer.link().arrives("filter");
        assertTrue(peer.link().isClosed());
    }

    // ---- The slot.

    @Test
    void aSlotIsClaimedOnceAndCanBeGivenBack() {
        peer.settled();
        PeerSlot slot = peer.claim();
        assertNotNull(slot);
        assertNull(peer.claim());
        assertEquals(0, peer.connection().free());
        assertEquals(1, peer.connection().status().busy());
        slot.release();
        assertEquals(List.of("free"), work.calls());
        assertNotNull(peer.claim());
    }

    @Test
    void anExchangeThatHasEndedIsNotSent() {
        peer.settled();
        Exchange exchange = engine.submit("GET", "", context, client);
        exchange.clientGone(Failure.CLIENT_GONE);
        PeerSlot slot = peer.claim();
        assertNotNull(slot);
        assertFalse(slot.send(exchange));
        slot.release();
        engine.loop().run();
        assertEquals("", peer.link().received());
        assertNotNull(peer.claim());
    }

    // ---- The request.

    @Test
    void aSmallRequestIsWrittenAtOnce() {
        peer.settled();
        Exchange exchange = given("POST", "b\0dy");
        assertEquals(TestEngine.frameHeadText("r1", 4) + "b\0dy", peer.link().received());
        assertEquals(1, peer.link().writes());
        peer.link().arrives(answer("x"));
        take(exchange, "x");
    }

    @Test
    void aRequestIsWrittenAsThePeerTakesIt() {
        peer.settled();
        String body = "0123456789".repeat(15_000);
        peer.link().takesOnly(3);
        Exchange exchange = given("POST", body);
        assertEquals("sending", peer.state());
        for (int i = 0; i < 20; i++) {
            peer.link().takes(10_000);
        }
        assertEquals("waiting", peer.state());
        assertEquals(TestEngine.frameHeadText("r1", body.length()) + body, peer.link().received());
        peer.link().arrives(answer("x"));
        take(exchange, "x");
    }

    // ---- The answer.

    @Test
    void aPeerIsFreeAgainWhenItHasSpoken() {
        peer.settled();
        Exchange exchange = given("GET", "");
        peer.link().arrives(answer("x"));
        assertEquals(List.of("free", "free"), work.calls());
        assertEquals("idle", peer.state());
        assertEquals(1, peer.connection().status().served());
        take(exchange, "x");
    }

    @Test
    void anAnswerMayComeByteByByte() {
        peer.settled();
        Exchange exchange = given("GET", "");
        peer.link().arrivesByByte(frame("Status: 404 Gone fishing\nA: b\n\nab\0c"));
        assertEquals(404, client.head().status());
        assertEquals("Gone fishing", client.head().reason());
        take(exchange, "ab\0c");
    }

    @Test
    void lengthAndBodyMayBeTwoWrites() {
        peer.settled();
        Exchange exchange = given("GET", "");
        String frame = answer("hello");
        peer.link().arrives(frame.substring(0, 9));
        assertFalse(client.isAnswered());
        assertEquals(1, peer.link().acknowledged());
        peer.link().arrives(frame.substring(9));
        assertEquals(1, peer.link().acknowledged());
        take(exchange, "hello");
    }

    @Test
    void outputWithoutHeadIsHtml() {
        for (String output : List.of("<h1>x</h1>", "no blank line", "a:b\nno end")) {
            var own = new RecordingClient();
            peer.settled();
            Exchange exchange = engine.submit("GET", "", context, own);
            peer.give(exchange, engine.loop());
            peer.link().arrives(frame(output));
            assertEquals("text/html", own.head().fields().getFirst().value());
            assertEquals(output.length(), own.head().contentLength());
            assertEquals(output, own.read());
            exchange.delivered();
        }
    }

    @Test
    void oneConnectionServesOneRequestAfterTheOther() {
        peer.settled();
        for (int i = 1; i <= 20; i++) {
            var own = new RecordingClient();
            Exchange exchange = engine.submit("POST", "q" + i, context, own);
            peer.give(exchange, engine.loop());
            String id = "r" + i;
            String body = "q" + i;
            assertEquals(
                    TestEngine.frameHeadText(id, body.length()) + body, peer.link().received());
            peer.link().arrives(answer("a" + i));
            assertEquals("a" + i, own.read());
            exchange.delivered();
        }
        assertEquals(20, peer.connection().status().served());
    }

    @Test
    void anAnswerThatIsReadyBeforeTheRequestsEndGoesOutAtOnce() {
        peer.settled();
        peer.link().takesOnly(30);
        Exchange exchange = given("POST", "x".repeat(1000));
        peer.link().arrives(answer("early"));
        take(exchange, "early");
        assertEquals("finishing", peer.state());
        assertNull(peer.claim());
        assertTrue(engine.store().memoryBytes() > 0);
        peer.link().takes(2000);
        assertEquals("idle", peer.state());
        assertEquals(
                TestEngine.frameHeadText("r1", 1000) + "x".repeat(1000), peer.link().received());
    }

    @Test
    void theMemoryOfABodyIsNotUsedAgainBeforeAllOfItIsWritten() {
        peer.settled();
        peer.link().takesOnly(30);
        byte[] bytes = "x".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        ByteBuffer memory = ByteBuffer.wrap(bytes);
        Exchange exchange = engine.open("POST", context, client);
        exchange.body()
                .receiveWhole(
                        memory, Handover.ofUnused(memory), () -> Arrays.fill(bytes, (byte) 'y'));
        peer.give(exchange, engine.loop());
        peer.link().arrives(answer("early"));
        take(exchange, "early");
        assertEquals('x', bytes[0]);

        peer.link().takes(2000);

        assertEquals('y', bytes[0]);
        assertEquals(
                TestEngine.frameHeadText("r1", 1000) + "x".repeat(1000), peer.link().received());
    }

    @Test
    void theAnswerOfAClientThatHasLeftIsDrained() {
        peer.settled();
        Exchange exchange = given("GET", "");
        exchange.clientGone(Failure.CLIENT_GONE);
        assertEquals("waiting", peer.state());
        peer.link().arrives(answer("nobody reads this"));
        assertEquals("idle", peer.state());
        assertFalse(client.isAnswered());
    }

    // ---- A slow client.

    @Test
    void aSlowClientHoldsItsPeerOnlyAboveTheLimit() {
        peer.settled();
        Exchange exchange = given("GET", "");
        String body = "0123456789".repeat(60_000);
        String frame = answer(body);
        for (int i = 0; i < frame.length(); i += 16_384) {
            peer.link().arrives(frame.substring(i, Math.min(frame.length(), i + 16_384)));
        }
        assertFalse(peer.link().isReading());
        engine.pass(TestEngine.RESPONSE_TIME.multipliedBy(3));
        assertFalse(peer.link().isClosed());

        StringBuilder read = new StringBuilder(client.read());
        engine.loop().run();
        while (client.ending() == BodyEnding.OPEN) {
            read = new StringBuilder(client.read());
            engine.loop().run();
        }
        assertEquals(body, read.toString());
        assertTrue(peer.link().isReading());
        assertEquals("idle", peer.state());
        exchange.delivered();
    }

    @Test
    void theResponseTimeRunsAgainOnceTheClientReads() {
        peer.settled();
        Exchange exchange = given("GET", "");
        String frame = answer("x".repeat(900_000));
        peer.link().arrives(frame.substring(0, TestEngine.ANSWER_LIMIT + 2000));
        engine.pass(TestEngine.RESPONSE_TIME.multipliedBy(3));
        assertFalse(peer.link().isClosed());
        client.read();
        engine.loop().run();
        engine.pass(TestEngine.RESPONSE_TIME.minusSeconds(1));
        assertFalse(peer.link().isClosed());
        engine.pass(Duration.ofSeconds(2));
        assertTrue(peer.link().isClosed());
        assertEquals(List.of("peer-timeout"), engine.reasons());
        assertEquals(BodyEnding.BROKEN, client.ending());
        exchange.clientGone(Failure.CLIENT_GONE);
    }

    @Test
    void aSlowClientThatLeavesLetsItsPeerGoOn() {
        peer.settled();
        Exchange exchange = given("GET", "");
        String frame = answer("x".repeat(900_000));
        peer.link().arrives(frame.substring(0, 400_000));
        assertFalse(peer.link().isReading());
        exchange.clientGone(Failure.CLIENT_STALLED);
        engine.loop().run();
        peer.link().arrives(frame.substring(400_000));
        engine.loop().run();
        assertEquals("idle", peer.state());
    }
}
