package org.lrwp.sdk;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lets handlers that are about to answer go first, so that their answers share one write: a system
 * call costs as much as a small answer, on the proxy's side too. Where nothing else is to run that
 * takes no time.
 *
 * <p>A handler that computes for long would hold up the answers of others. So after a pause that
 * was too long the next writes come without one. For the writer's thread.
 */
final class Gathering {
    private static final long TOO_LONG_NANOS = Duration.ofMillis(2).toNanos();
    private static final int WITHOUT_PAUSE = 64;

    private final LongSupplier nanoTime;
    private int withoutPause;

    Gathering(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Waits until the threads that are ready now have run, unless that takes long. */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing but the speed relies on it.
    void pause() {
        if (withoutPause > 0) {
            withoutPause--;
            return;
        }
        long begun = nanoTime.getAsLong();
        Thread.yield();
        if (nanoTime.getAsLong() - begun > TOO_LONG_NANOS) {
            withoutPause = WITHOUT_PAUSE;
        }
    }
}
