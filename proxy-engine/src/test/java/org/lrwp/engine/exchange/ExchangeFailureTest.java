package org.lrwp.engine.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.TestEngine.bytes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.testkit.FakeSlot;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.EnvBlockWriter;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** What becomes of an exchange whose peer fails. */
class ExchangeFailureTest {
    private final TestEngine engine = new TestEngine();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();

    @AfterEach
    void nothingIsLeftInTheSpools() {
        assertEquals(0, engine.store().memoryBytes());
        assertEquals(0, engine.store().diskBytes());
    }

    private static Attempt assigned(Exchange exchange) {
        return Objects.requireNonNull(exchange.assign(new FakeSlot("p")), "it has ended");
    }

    private static void answer(Attempt attempt, String body) {
        attempt.head(new CgiHead(200, "", List.of(), null), body.length());
        attempt.bytes(bytes(body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"})
    void anIdempotentRequestIsStartedTwiceAtMost(String method) {
        Exchange exchange = engine.submit(method, "body", context, client);
        long deadline = exchange.tries().deadlineNanos();
        Attempt first = assigned(exchange);
        assertEquals(bytes("body"), first.frameBody().poll());
        first.failed(Failure.PEER_GONE, Progress.MAY_HAVE_STARTED);
        assertEquals(ExchangeState.QUEUED, exchange.state());
        assertEquals(deadline, exchange.tries().deadlineNanos());

        Attempt second = assigned(exchange);
        assertEquals(bytes("body"), second.frameBody().poll());
        assertEquals(TestEngine.frameHead("r1", 4), second.frameHead(new EnvBlockWriter()));
        second.failed(Failure.PEER_GONE, Progress.MAY_HAVE_STARTED);
        assertEquals(Failure.PEER_GONE, client.failure());
        assertEquals(List.of("submit", "resubmit", "ended peer-gone"), context.calls());
        assertEquals(1, engine.records().getFirst().retries());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "get"})
    void anotherRequestIsStartedOnce(String method) {
        Exchange exchange = engine.submit(method, "body", context, client);
        assigned(exchange).failed(Failure.PEER_GONE, Progress.MAY_HAVE_STARTED);
        assertEquals(Failure.PEER_GONE, client.failure());
        assertEquals(List.of("submit", "ended peer-gone"), context.calls());
    }

    /** Asks whether it is awaited, in the moment in which it is told the error. */
    private final class AskingClient implements Client {
        private boolean awaited;

        @Override
        public void answer(AnswerHead head, Spool body) {
            throw new AssertionError("an answer");
        }

        @Override
        public void fail(Failure failure) {
            awaited = engine.isFailing();
        }

        @Override
        public long errorBytes(Failure failure) {
            return failure.word().length();
        }
    }

    @Test
    void aProxyThatGoesDownWaitsUntilTheClientHasTheError() {
        var asking = new AskingClient();
        Exchange exchange = engine.submit("POST", "body", context, asking);

        assigned(exchange).failed(Failure.PEER_GONE, Progress.MAY_HAVE_STARTED);

        assertTrue(asking.awaited, "nobody would have waited for it");
        assertFalse(engine.isFailing());
        assertEquals("peer-gone".length(), engine.records().getFirst().answerBytes());
    }

    @Test
    void aRequestThatWasNotStartedMovesOn() {
        Exchange exchange = engine.submit("POST", "body", context, client);
        assigned(exchange).failed(Failure.PEER_GONE, Progress.NOT_SENT);
        assigned(exchange).failed(Failure.PEER_STALLED, Progress.NOT_STARTED);
        Attempt third = assigned(exchange);
        answer(third, "x");
        third.answered();
        third.end();

        assertEquals("x", client.read());
        exchange.delivered();
        assertEquals(2, engine.records().getFirst().retries());
    }

    /** They come on the client's thread, and the failure on the peer's. */
    @Test
    void bytesThatComeWhileThePeerFailsAreWanted() throws Exception {
        try (ExecutorService peer = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 20_000; i++) {
                Exchange exchange = engine.open("POST", context, new RecordingClient());
                exchange.body().expect(5);
                Attempt first = Objects.requireNonNull(exchange.assign(new FakeSlot("p", true)));
                AtomicBoolean failed = new AtomicBoolean();
                Future<Boolean> other = peer.submit(() -> isWantedUntil(exchange, failed));
                Future<Boolean> wanted = peer.submit(() -> isWantedUntil(exchange, failed));
                first.failed(Failure.PEER_GONE, Progress.NOT_SENT);
                failed.set(true);
                assertTrue(wanted.get() && other.get(), "bytes are lost");
                exchange.clientGone(Failure.CLIENT_GONE);
            }
        }
    }

    private static boolean isWantedUntil(Exchange exchange, AtomicBoolean end) {
        boolean wanted = true;
        while (wanted && !end.get()) {
            wanted = exchange.body().receive(ByteBuffer.allocate(0));
        }
        return wanted;
    }

    @Test
    void aRequestDoesNotMoveOnForEver() {
        Exchange exchange = engine.submit("POST", "body", context, client);
        for (int i = 0; i < 6; i++) {
            assertFalse(client.isAnswered());
            assigned(exchange).failed(Failure.PEER_GONE, Progress.NOT_SENT);
        }
        assertEquals(Failure.MOVED_TOO_OFTEN, client.failure());
    }

    @Test
    void halfAnAnswerThatTheClientHasNotSeenIsForgotten() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt first = assigned(exchange);
        answer(first, "wrong");
        first.failed(Failure.PEER_GONE, Progress.PARTLY_ANSWERED);
        Attempt second = assigned(exchange);
        answer(second, "right");
        second.answered();
        second.end();
        assertEquals("right", client.read());
        exchange.delivered();
    }

    @Test
    void anAnswerThatHasStartedIsCut() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        answer(attempt, "x".repeat(TestEngine.START_BYTES));
        attempt.failed(Failure.PEER_GONE, Progress.PARTLY_ANSWERED);

        assertEquals(ExchangeState.FAILED, exchange.state());
        assertEquals(200, client.head().status());
        assertEquals(BodyEnding.BROKEN, client.ending());
        assertNull(client.failure());
        assertEquals(200, engine.records().getFirst().status());
        assertEquals(List.of("peer-gone"), engine.reasons());
        exchange.clientGone(Failure.CLIENT_GONE);
    }

    @Test
    void aPeerThatIsTooLateIsNotAskedAgain() {
        Exchange exchange = engine.submit("GET", "", context, client);
        assigned(exchange).failed(Failure.PEER_TIMEOUT, Progress.MAY_HAVE_STARTED);
        assertEquals(Failure.PEER_TIMEOUT, client.failure());
    }

    @Test
    void eventsOfAnAttemptThatIsOverHaveNoEffect() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt first = assigned(exchange);
        first.failed(Failure.PEER_GONE, Progress.NOT_SENT);
        Attempt second = assigned(exchange);
        answer(first, "late");
        first.pause();
        first.answered();
        first.end();
        first.failed(Failure.BROKEN_FRAME, Progress.PARTLY_ANSWERED);
        assertFalse(client.isAnswered());
        assertEquals(ExchangeState.SENT, exchange.state());
        second.failed(Failure.BROKEN_FRAME, Progress.PARTLY_ANSWERED);
        assertEquals(Failure.BROKEN_FRAME, client.failure());
    }

    @Test
    void aPeerThatFailsBehindItsWholeAnswerChangesNothing() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        answer(attempt, "x");
        attempt.answered();
        attempt.end();
        attempt.failed(Failure.PEER_GONE, Progress.PARTLY_ANSWERED);
        assertEquals("x", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        exchange.delivered();
        assertEquals(List.of("answered"), engine.reasons());
    }

    @Test
    void anAnswerThatTheDiskDoesNotTakeIsNotToBeAskedForAgain() {
        var small = new TestEngine(Path.of("no-such-folder"), 1_000_000);
        Exchange exchange = small.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        answer(attempt, "x".repeat(TestEngine.START_BYTES + 1));
        assertEquals(Failure.SPACE_RAN_OUT, client.failure());
        attempt.bytes(bytes("y"));
        assertTrue(attempt.hasRoom());
        attempt.answered();
        attempt.end();
        assertEquals(0, small.store().memoryBytes());
    }

    @Test
    void failingAnExchangeThatIsAnsweringCutsIt() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        answer(attempt, "x".repeat(TestEngine.START_BYTES));
        exchange.fail(Failure.DRAINING);
        assertEquals(BodyEnding.BROKEN, client.ending());
        attempt.bytes(bytes("more"));
        attempt.answered();
        attempt.end();
        exchange.fail(Failure.INTERNAL);
        exchange.clientGone(Failure.CLIENT_GONE);
        assertEquals(List.of("draining"), engine.reasons());
    }

    @Test
    void aPeerIsHeldBackByASlowClientAndToldWhenThereIsRoom() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        int[] told = {0};
        assertTrue(attempt.hasRoom());
        attempt.onRoom(() -> told[0]++);
        assertEquals(1, told[0]);
        answer(attempt, "x".repeat(TestEngine.ANSWER_LIMIT));
        assertFalse(attempt.hasRoom());
        attempt.onRoom(() -> told[0]++);
        assertEquals(1, told[0]);
        client.readOnePiece();
        assertEquals(2, told[0]);
        assertTrue(attempt.hasRoom());

        exchange.clientGone(Failure.CLIENT_GONE);
        attempt.onRoom(() -> told[0]++);
        assertEquals(3, told[0] - 1);
        attempt.failed(Failure.PEER_GONE, Progress.PARTLY_ANSWERED);
    }

    @Test
    void aClientThatLeavesMakesRoom() {
        Exchange exchange = engine.submit("GET", "", context, client);
        Attempt attempt = assigned(exchange);
        answer(attempt, "x".repeat(TestEngine.ANSWER_LIMIT));
        int[] told = {0};
        attempt.onRoom(() -> told[0]++);
        exchange.clientGone(Failure.CLIENT_GONE);
        assertEquals(1, told[0]);
        assertTrue(attempt.hasRoom());
        attempt.end();
    }
}
