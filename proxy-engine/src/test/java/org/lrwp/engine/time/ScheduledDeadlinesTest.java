package org.lrwp.engine.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class ScheduledDeadlinesTest {
    private static final long PATIENCE_SECONDS = 20;

    private static boolean isReached(CountDownLatch latch) throws InterruptedException {
        return latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void tasksRunInTheOrderOfTheirTimeAndNotBefore() throws InterruptedException {
        try (var deadlines = new ScheduledDeadlines()) {
            List<Integer> order = Collections.synchronizedList(new ArrayList<>());
            var done = new CountDownLatch(3);
            long start = NanoClock.SYSTEM.nanos();
            long delay = TimeUnit.MILLISECONDS.toNanos(40);
            for (int i : new int[] {2, 0, 1}) {
                deadlines.after(
                        i * delay,
                        () -> {
                            order.add(i);
                            done.countDown();
                        });
            }
            assertTrue(isReached(done));
            assertEquals(List.of(0, 1, 2), order);
            assertTrue(NanoClock.SYSTEM.nanos() - start >= 2 * delay);
        }
    }

    @Test
    void aTaskThatIsCalledOffDoesNotRun() throws InterruptedException {
        try (var deadlines = new ScheduledDeadlines()) {
            var done = new CountDownLatch(1);
            boolean[] ran = {false};
            long delay = TimeUnit.MILLISECONDS.toNanos(30);
            deadlines.after(delay, () -> ran[0] = true).cancel();
            Deadlines.Deadline last = deadlines.after(2 * delay, done::countDown);
            assertTrue(isReached(done));
            last.cancel();
            assertFalse(ran[0]);
        }
    }

    @Test
    void aTaskThatThrowsDoesNotStopTheOthers() throws InterruptedException {
        try (var deadlines = new ScheduledDeadlines()) {
            var done = new CountDownLatch(1);
            deadlines.after(
                    -1,
                    () -> {
                        throw new IllegalStateException("planted");
                    });
            deadlines.after(1, done::countDown);
            assertTrue(isReached(done));
        }
    }

    @Test
    void afterTheCloseNothingRuns() {
        var deadlines = new ScheduledDeadlines();
        deadlines.close();
        deadlines.close();
        boolean[] ran = {false};
        deadlines.after(0, () -> ran[0] = true).cancel();
        assertFalse(ran[0]);
    }
}
