package org.lrwp.engine.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.TestEngine.bytes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.testkit.FakeSlot;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.MalformedFrameException;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

class ExchangeTest {
    private final TestEngine engine = new TestEngine();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();
    private final FakeSlot slot = new FakeSlot("peer-1");

    @AfterEach
    void nothingIsLeftInTheSpools() {
        assertEquals(0, engine.store().memoryBytes());
        assertEquals(0, engine.store().diskBytes());
    }

    private static CgiHead head(int status) {
        return new CgiHead(status, "", List.of(new HeaderField("A", "b")), null);
    }

    private Attempt assigned(Exchange exchange) {
        return Objects.requireNonNull(exchange.assign(slot), "the exchange has ended");
    }

    private Attempt sent(Exchange exchange, String body) {
        Attempt attempt = assigned(exchange);
        attempt.head(head(200), body.length());
        attempt.bytes(bytes(body));
        attempt.answered();
        return attempt;
    }

    // ---- The usual way.

    @Test
    void aWholeAnswerReachesTheClientOnce() {
        Exchange exchange = engine.submit("POST", "question", context, client);
        Attempt attempt = sent(exchange, "answer");
        attempt.end();

        assertEquals(200, client.head().status());
        assertEquals(6, client.head().contentLength());
        assertEquals("answer", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        exchange.delivered();
        exchange.delivered();

        assertEquals(ExchangeState.DONE, exchange.state());
        assertEquals(List.of("submit", "ended answered"), context.calls());
        ExchangeRecord record = engine.records().getFirst();
        assertEquals(1, engine.records().size());
        assertEquals(200, record.status());
        assertEquals("peer-1", record.peer());
        assertEquals(8, record.requestBytes());
        assertEquals(6, record.answerBytes());
        assertEquals(0, record.retries());
    }

    @Test
    void theRecordSaysWhereTheTimeWent() {
        Exchange exchange = engine.submit("GET", "", context, client);
        engine.pass(Duration.ofSeconds(3));
        Attempt attempt = assigned(exchange);
        engine.pass(Duration.ofSeconds(2));
        attempt.head(head(200), 1);
        attempt.bytes(bytes("x"));
        attempt.answered();
        attempt.end();
        client.read();
        engine.pass(Duration.ofSeconds(4));
        exchange.delivered();

        ExchangeRecord record = engine.records().getFirst();
        assertEquals(Duration.ofSeconds(3).toNanos(), record.queueNanos());
        assertEquals(Duration.ofSeconds(2).toNanos(), record.peerNanos());
        assertEquals(Duration.ofSeconds(5).toNanos(), record.firstByteNanos());
        assertEquals(Duration.ofSeconds(9).toNanos(), record.totalNanos());
    }

    @Test
    void anAnswerToHeadAnd204And304HasNoBody() {
        for (String method : List.of("HEAD", "GET", "PUT")) {
            var own = new RecordingClient();
            Exchange exchange = engine.submit(method, "", context, own);
            Attempt attempt = assigned(exchange);
            int status = method.equals("HEAD") ? 200 : method.equals("GET") ? 304 : 204;
            attempt.head(new CgiHead(status, "", List.of(), 77L), 3);
            attempt.bytes(bytes("abc"));
            attempt.answered();
            attempt.end();

            assertTrue(own.head().bodyless());
            assertEquals(method.equals("HEAD") ? 77 : -1, own.head().contentLength());
            assertEquals("", own.read());
            exchange.delivered();
        }
    }

    @Test
    void theRequestFrameCarriesTheLengthOfTheBody() {
        Exchange exchange = engine.submit("POST", "12345", context, client);
        Attempt attempt = assigned(exchange);

        assertEquals(TestEngine.frameHead("r1", 5), attempt.frameHead(new EnvBlockWriter()));
        assertEquals(bytes("12345"), attempt.frameBody().poll());
        attempt.failed(Failure.PEER_TIMEOUT, Progress.MAY_HAVE_STARTED);
    }

    @Test
    void theFrameHeadBeforeTheBodyIsWholeIsAProgrammersError() {
        Exchange exchange = engine.open("POST", context, client);
        assertThrows(
                IllegalStateException.class,
                () -> exchange.body().head(new EnvBlockWriter(), false));
        exchange.clientGone(Failure.CLIENT_GONE);
    }

    // ---- When an answer starts.

    @Test
    void aSlowAnswerStartsAHundredMillisecondsAfterItsHead() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        attempt.pause();
        attempt.head(head(200), 10);
        attempt.bytes(bytes("abc"));
        attempt.pause();
        engine.pass(TestEngine.START_DELAY.minusNanos(1));
        assertFalse(client.isAnswered());
        engine.pass(Duration.ofNanos(1));

        assertEquals("abc", client.read());
        assertEquals(BodyEnding.OPEN, client.ending());
        attempt.bytes(bytes("defghij"));
        attempt.answered();
        attempt.end();
        assertEquals("abcdefghij", client.read());
        exchange.delivered();
    }

    @Test
    void anAnswerStartsWhenEnoughOfItIsIn() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        attempt.head(head(200), 999_999);
        attempt.bytes(bytes("x".repeat(TestEngine.START_BYTES - 1)));
        assertFalse(client.isAnswered());
        attempt.bytes(bytes("x"));
        assertEquals(TestEngine.START_BYTES, client.read().length());
        attempt.failed(Failure.PEER_GONE, Progress.PARTLY_ANSWERED);
        exchange.clientGone(Failure.CLIENT_GONE);
    }

    @Test
    void anAttemptThatIsOverLeavesNoTimer() {
        int before = engine.time().planned();
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        attempt.head(head(200), 10);
        attempt.pause();
        attempt.pause();
        assertEquals(before + 1, engine.time().planned());
        attempt.failed(Failure.PEER_TIMEOUT, Progress.PARTLY_ANSWERED);
        assertEquals(before, engine.time().planned());
    }

    // ---- The request comes in.

    @Test
    void aBodyAboveTheLimitIsRefusedAtOnce() {
        Exchange announced = engine.open("POST", context, client);
        announced.body().expect(TestEngine.MAX_BODY);
        assertFalse(client.isAnswered());
        announced.body().expect(TestEngine.MAX_BODY + 1);
        assertEquals(Failure.BODY_TOO_LARGE, client.failure());

        var other = new RecordingClient();
        Exchange counted = engine.open("POST", context, other);
        assertTrue(counted.body().receive(bytes("x".repeat(TestEngine.MAX_BODY))));
        assertFalse(counted.body().receive(bytes("x")));
        assertFalse(counted.body().receive(bytes("x")));
        assertEquals(Failure.BODY_TOO_LARGE, other.failure());
        counted.body().whole();
        assertEquals(
                List.of("offer", "ended body-too-large", "ended body-too-large"), context.calls());
    }

    @Test
    void aBodyThatIsSilentForTooLongIsGivenUp() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().pending();
        engine.pass(TestEngine.BODY_TIME.minusSeconds(1));
        assertTrue(exchange.body().receive(bytes("x")));
        engine.pass(TestEngine.BODY_TIME.minusNanos(1));
        assertFalse(client.isAnswered());
        engine.pass(Duration.ofNanos(1));
        assertEquals(Failure.BODY_TOO_SLOW, client.failure());
    }

    @Test
    void aBodyThatIsDribbledIsGivenUpAfterTheGrace() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().pending();
        for (int second = 0; second < 99; second++) {
            assertTrue(exchange.body().receive(bytes("x")));
            engine.pass(Duration.ofSeconds(1));
        }
        assertFalse(client.isAnswered());
        engine.pass(Duration.ofSeconds(1));
        assertEquals(Failure.BODY_TOO_SLOW, client.failure());
        assertEquals(0, engine.time().planned());
    }

    @Test
    void aSlowBodyThatKeepsTheLeastRateGoesOn() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().pending();
        for (int second = 0; second < 1000; second++) {
            assertTrue(exchange.body().receive(bytes("xyz")));
            engine.pass(Duration.ofSeconds(1));
        }
        assertFalse(client.isAnswered());
        exchange.fail(Failure.WAITED_TOO_LONG);
    }

    @Test
    void theSilenceOfAWholeBodyIsNotTimed() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().pending();
        exchange.body().whole();
        engine.pass(TestEngine.BODY_TIME.multipliedBy(2));
        assertFalse(client.isAnswered());
        exchange.fail(Failure.WAITED_TOO_LONG);
    }

    @Test
    void aWholeBodyLeavesNoDeadlineThatHoldsOnToIt() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().pending();
        exchange.body().whole();

        assertEquals(0, engine.time().planned());
        exchange.fail(Failure.WAITED_TOO_LONG);
    }

    @Test
    void anExchangeThatEndsBeforeItsBodyLeavesNoDeadlineEither() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().pending();
        engine.pass(TestEngine.BODY_TIME.minusSeconds(1));
        assertTrue(exchange.body().receive(bytes("x")));
        engine.pass(Duration.ofSeconds(1));
        exchange.fail(Failure.WAITED_TOO_LONG);

        assertEquals(0, engine.time().planned());
    }

    @Test
    void aHeadThatDoesNotFitIsRefusedWhenTheBodyIsWhole() {
        var request =
                new ExchangeRequest(
                        "r1",
                        "GET",
                        "/",
                        "192.0.2.1",
                        (block, length, upgrade) -> {
                            throw new MalformedFrameException("too large");
                        });
        var exchange =
                new Exchange(
                        request,
                        TestEngine.exchangeConfig(),
                        engine.environment(),
                        context,
                        client);
        exchange.body().whole();
        assertEquals(Failure.HEAD_TOO_LARGE, client.failure());
    }

    @Test
    void aBodyThatFindsNoSpaceIsRefused() {
        var small = new TestEngine(10_000);
        Exchange exchange = small.open("POST", context, client);
        assertTrue(exchange.body().receive(bytes("x".repeat(64 * 1024))));
        assertFalse(exchange.body().receive(bytes("x".repeat(20_000))));
        assertEquals(Failure.NO_SPACE, client.failure());
        assertEquals(0, small.store().memoryBytes());
    }

    // ---- The client goes.

    @Test
    void aClientThatLeavesWhileItsRequestWaitsIsForgotten() {
        Exchange exchange = engine.submit("POST", "body", context, client);
        exchange.clientGone(Failure.CLIENT_GONE);
        exchange.clientGone(Failure.CLIENT_GONE);

        assertEquals(List.of("submit", "ended client-gone", "withdraw"), context.calls());
        assertNull(exchange.assign(slot));
        assertFalse(client.isAnswered());
        assertEquals(0, engine.records().getFirst().status());
    }

    @Test
    void aClientThatLeavesWhileItsPeerWorksLetsThePeerFinish() {
        Exchange exchange = engine.submit("POST", "body", context, client);
        Attempt attempt = assigned(exchange);
        exchange.clientGone(Failure.CLIENT_GONE);
        assertEquals(1, slot.cancelled());
        assertEquals(bytes("body"), attempt.frameBody().poll());

        attempt.head(head(200), 3);
        attempt.bytes(bytes("abc"));
        attempt.pause();
        attempt.answered();
        attempt.end();
        assertFalse(client.isAnswered());
        assertEquals(List.of("client-gone"), engine.reasons());
    }

    @Test
    void aClientThatLeavesInTheMiddleOfItsAnswerIsRecordedWithItsStatus() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        attempt.head(head(201), 10);
        attempt.bytes(bytes("abc"));
        attempt.pause();
        engine.pass(TestEngine.START_DELAY);
        client.read();
        exchange.clientGone(Failure.CLIENT_STALLED);
        attempt.bytes(bytes("defghij"));
        attempt.answered();
        attempt.end();

        assertEquals(201, engine.records().getFirst().status());
        assertEquals(3, engine.records().getFirst().answerBytes());
        assertEquals(List.of("client-stalled"), engine.reasons());
        assertTrue(attempt.hasRoom());
    }

    @Test
    void statusShowsWhereAnExchangeIs() {
        Exchange exchange = engine.submit("GET", "", context, client);
        assertEquals("", exchange.status().peer());
        Attempt attempt = assigned(exchange);
        engine.pass(Duration.ofSeconds(1));
        assertEquals(
                new ExchangeStatus(
                        "r1",
                        "/osp",
                        "GET",
                        "/osp/r1",
                        ExchangeState.SENT,
                        "peer-1",
                        Duration.ofSeconds(1).toNanos()),
                exchange.status());
        assertNotNull(attempt);
        attempt.failed(Failure.PEER_TIMEOUT, Progress.MAY_HAVE_STARTED);
    }
}
