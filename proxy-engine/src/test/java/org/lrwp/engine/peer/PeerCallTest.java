package org.lrwp.engine.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.time.SharedDeadline;
import org.lrwp.protocol.CgiHead;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** One slot with its request, over a wire that does what a test says. */
class PeerCallTest {
    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingClient client = new RecordingClient();
    private final List<String> freed = new ArrayList<>();
    private final Wire wire = new Wire();
    private final PeerSlots slots = slots();
    private final PeerCall call = new PeerCall(slots, wire);
    private final Exchange exchange = engine.submit("POST", "body", new RecordingContext(), client);

    private final class Wire implements CallWire {
        private final ArrayDeque<Runnable> steps = new ArrayDeque<>();
        private final List<String> told = new ArrayList<>();
        private @Nullable Failure refusal;
        private boolean begun = true;

        void run() {
            while (!steps.isEmpty()) {
                steps.remove().run();
            }
        }

        @Override
        public void execute(Runnable step) {
            steps.add(step);
        }

        @Override
        public @Nullable Failure begin(Attempt attempt, long now) {
            told.add("begin");
            return refusal;
        }

        @Override
        public boolean isBegun() {
            return begun;
        }

        @Override
        public void cancel(String reason) {
            told.add("cancel " + reason);
        }

        @Override
        public void free(CallState before) {
            told.add("free " + before);
        }

        @Override
        public void ended(Attempt attempt) {
            told.add("ended " + exchange.state() + " " + slots.busy());
        }

        @Override
        public CallWait waitsFor() {
            return CallWait.ANSWER;
        }
    }

    /** One slot, of a connection nobody asks anything. */
    private PeerSlots slots() {
        var connection = PeerFixture.aPeer(engine, work).connection();
        var environment =
                new PeerEnvironment(
                        engine.time(), engine.time(), work, name -> TestEngine.peerConfig());
        var one =
                new PeerSlots(connection, environment, new PeerLog("p"), () -> freed.add("freed"));
        one.capacity(1);
        one.open();
        one.claim();
        return one;
    }

    private void begin() {
        call.send(exchange);
        wire.run();
    }

    @Test
    void aWireThatCannotSendGivesTheSlotBackBeforeTheRequestMoves() {
        wire.refusal = Failure.PEER_GONE;
        begin();
        assertEquals(List.of("begin", "free RUNNING", "ended QUEUED 0"), wire.told);
        assertEquals(CallState.ENDED, call.state());
    }

    @Test
    void aRequestNobodyWaitsForBeforeItsTurnIsNotSent() {
        call.send(exchange);
        Runnable begin = wire.steps.remove();
        exchange.clientGone(Failure.CLIENT_GONE);
        wire.run();
        begin.run();
        assertEquals(List.of("free CANCELLED", "ended FAILED 0"), wire.told);
    }

    @Test
    void aLateRequestThatThePeerHasNotSeenIsTakenBack() {
        begin();
        wire.begun = false;
        engine.pass(TestEngine.RESPONSE_TIME);
        assertEquals("no answer in time", call.late());
        assertEquals(Failure.PEER_TIMEOUT, client.failure());
        assertEquals(List.of("begin", "free RUNNING", "ended FAILED 0"), wire.told);
    }

    @Test
    void aLateRequestHoldsItsSlotUntilThePeerHasEnded() {
        begin();
        engine.pass(TestEngine.RESPONSE_TIME.minusMillis(1));
        assertEquals("", call.late());
        engine.pass(Duration.ofMillis(1));
        call.late();
        assertEquals(Failure.PEER_TIMEOUT, client.failure());
        assertEquals(List.of("begin", "cancel no answer in time"), wire.told);
        assertEquals(SharedDeadline.NEVER, call.left(engine.time().nanos()));
        assertEquals(1, slots.busy());
        assertEquals(1, slots.status("3.0", List.of(), call.state()).stuck().size());
        call.refused("too late");
        assertEquals(0, slots.busy());
        assertEquals(List.of(), slots.status("3.0", List.of(), call.state()).stuck());
    }

    @Test
    void anAnswerThatIsShorterThanItsHeadSaysBreaksOff() {
        begin();
        call.answering(new CgiHead(200, "", List.of(), 4L), -1);
        call.length().take(TestEngine.bytes("abc"));
        call.finish();
        assertEquals(ExchangeState.FAILED, exchange.state());
        assertEquals(List.of("short-answer"), engine.reasons());
        assertEquals(0, slots.served());
    }

    @Test
    void whatThePeerSaysOfACallThatHasEndedHasNoEffect() {
        begin();
        call.answering(new CgiHead(204, "", List.of(), null), 0);
        call.finish();
        call.finish();
        call.gaveUp("why not");
        call.failed(Failure.PEER_GONE, Progress.NOT_SENT);
        call.abandon("nobody");
        assertEquals(1, slots.served());
        assertEquals(0, slots.busy());
        assertNull(client.failure());
    }

    @Test
    void aSlotOfAConnectionThatDrainsIsOfferedToNobody() {
        begin();
        slots.drain("proxy-drains", 1);
        work.calls().clear();
        call.answering(new CgiHead(204, "", List.of(), null), 0);
        call.finish();
        assertEquals(List.of("freed"), freed);
        assertEquals(List.of(), work.calls());
    }
}
