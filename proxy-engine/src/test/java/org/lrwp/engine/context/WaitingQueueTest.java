package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.TestEngine;

import java.time.Duration;
import java.util.List;

/** Who of those that wait is late, in whatever order their deadlines are. */
class WaitingQueueTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final TestEngine engine = new TestEngine();
    private final WaitingQueue queue = new WaitingQueue(9, (exchange, connection) -> true);

    /** One that waits from now on. */
    private Exchange comes(Duration queueTime) {
        var client = new RecordingClient();
        return engine.open("GET", TestEngine.queueTime(queueTime), new RecordingContext(), client);
    }

    private Exchange waits(Duration queueTime) {
        Exchange exchange = comes(queueTime);
        assertTrue(queue.offer(exchange));
        return exchange;
    }

    private List<Exchange> lateAfter(Duration time) {
        engine.pass(time);
        return queue.pollLate(engine.time().nanos());
    }

    @Test
    void allLateOnesAreTakenOutAndTheEarliestDeadlineOfTheRestIsNext() {
        Exchange old = waits(LONG);
        Exchange first = waits(SHORT);
        engine.pass(Duration.ofSeconds(1));
        Exchange second = waits(SHORT);

        assertEquals(first, queue.peekUrgent());
        assertEquals(List.of(first), lateAfter(Duration.ofSeconds(1)));
        assertEquals(second, queue.peekUrgent());
        assertEquals(List.of(second), lateAfter(Duration.ofSeconds(1)));
        assertEquals(old, queue.peekUrgent());
        assertEquals(List.of(old), lateAfter(Duration.ofSeconds(7)));
        assertNull(queue.peekUrgent());
        assertEquals(0, queue.size());
    }

    @Test
    void oneThatComesBackWithMoreQueueTimeHidesNoneBehindIt() {
        Exchange back = comes(LONG);
        Exchange other = waits(SHORT);
        queue.offerAgain(back);

        assertEquals(other, queue.peekUrgent());
        assertEquals(List.of(other), lateAfter(SHORT));
        assertEquals(List.of(back), lateAfter(LONG.minus(SHORT)));
    }

    @Test
    void oneThatComesBackWithLessQueueTimeIsNotHiddenByThoseBeforeIt() {
        Exchange old = waits(LONG);
        engine.pass(Duration.ofNanos(1));
        Exchange back = comes(SHORT);
        queue.offerAgain(back);

        assertEquals(back, queue.peekUrgent());
        assertEquals(List.of(back), lateAfter(SHORT));
        assertEquals(old, queue.peekUrgent());
    }

    @Test
    void raisedQueueTimeLeavesTheOrderAsItIs() {
        Exchange old = waits(SHORT);
        Exchange next = waits(LONG);

        assertEquals(old, queue.peekUrgent());
        assertEquals(List.of(old), lateAfter(SHORT));
        assertEquals(next, queue.peekUrgent());
        assertEquals(List.of(next), lateAfter(LONG));
    }
}
