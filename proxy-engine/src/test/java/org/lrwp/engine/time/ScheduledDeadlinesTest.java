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
    void aTaskRunsNotBeforeItsTime() throws InterruptedException {
        try (var deadlines = new ScheduledDeadlines()) {
            var done = new CountDownLatch(1);
            long start = NanoClock.SYSTEM.nanos();
            long delay = TimeUnit.MILLISECONDS.toNanos(40);
            deadlines.after(delay, done::countDown);
            assertTrue(isReached(done));
            assertTrue(NanoClock.SYSTEM.nanos() - start >= delay);
        }
    }

    @Test
    void aTaskOverAnHourDoesNotHoldBackAnEarlierOne() throws InterruptedException {
        try (var deadlines = new ScheduledDeadlines()) {
            List<String> ran = Collections.synchronizedList(new ArrayList<>());
            var done = new CountDownLatch(1);
            deadlines.after(TimeUnit.HOURS.toNanos(1), () -> ran.add("late"));
            deadlines.after(0, () -> ran.add("at once"));
            deadlines.after(TimeUnit.MILLISECONDS.toNanos(1), done::countDown);
            assertTrue(isReached(done));
            assertEquals(List.of("at once"), ran);
        }
    }

    @Test
    void aTaskThatIsCalledOffDoesNotRun() throws InterruptedException {
        try (var deadlines = new ScheduledDeadlines()) {
            var done = new CountDownLatch(1);
            boolean[] ran = {false};
            long delay = TimeUnit.MILLISECONDS.toNanos(500);
            deadlines.after(delay, () -> ran[0] = true).cancel();
            Deadlines.Deadline last = deadlines.after(delay, done::countDown);
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
