package org.lrwp.systemtests.harness;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another process does and cannot tell. */
public final class Wait {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private Wait() {}

    /** Something that comes true. */
    @FunctionalInterface
    public interface Condition {
        /** Looks now. */
        boolean holds() throws Exception;
    }

    /** Whether the condition came true within the time. */
    public static boolean until(Duration atMost, Condition condition) throws Exception {
        long begin = System.nanoTime();
        while (true) {
            if (condition.holds()) {
                return true;
            }
            if (System.nanoTime() - begin > atMost.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            requireMore();
        }
    }

    /** Requires the condition to come true within the time. */
    public static void require(String what, Duration atMost, Condition condition) throws Exception {
        if (!until(atMost, condition)) {
            throw new AssertionError("not within " + atMost.toMillis() + " ms: " + what);
        }
    }

    /** Lets time pass, for tests whose subject is that something does not happen. */
    public static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            requireMore();
        }
    }

    private static void requireMore() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while it waited");
        }
    }
}
