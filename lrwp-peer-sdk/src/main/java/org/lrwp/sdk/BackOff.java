package org.lrwp.sdk;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: doubles from one attempt to the next up to a limit, and
 * each delay is drawn from its upper half, so that many peers of one proxy do not come back at the
 * same instant. Not thread-safe.
 */
final class BackOff {
    private final long firstNanos;
    private final long longestNanos;
    private final RandomGenerator random;
    private long ceilingNanos;
    private long lastNanos;

    BackOff(Duration first, Duration longest, RandomGenerator random) {
        this.firstNanos = first.toNanos();
        this.longestNanos = longest.toNanos();
        this.random = random;
    }

    static BackOff of(PeerConfig settings) {
        return new BackOff(
                settings.times().firstRetry(),
                settings.times().longestRetry(),
                settings.surroundings().random());
    }

    /** Returns the next delay. */
    Duration next() {
        long wanted = ceilingNanos == 0 ? firstNanos : ceilingNanos * 2;
        ceilingNanos = Math.min(wanted, longestNanos);
        long half = ceilingNanos / 2;
        lastNanos = half + random.nextLong(ceilingNanos - half + 1);
        return Duration.ofNanos(lastNanos);
    }

    /**
     * Says that a connection was registered for some time. It starts the delays afresh only when it
     * held longer than the wait for it was: a proxy that accepts and hangs up gets no storm.
     */
    void held(long nanos) {
        if (nanos >= lastNanos) {
            ceilingNanos = 0;
            lastNanos = 0;
        }
    }

    /**
     * Says that a connection was drained by its proxy after some time. When it held shorter than
     * the longest delay, the delays go on: a proxy that only drains gets no storm.
     */
    void drained(long nanos) {
        if (nanos >= longestNanos) {
            ceilingNanos = 0;
            lastNanos = 0;
        }
    }

    /** Returns the delay behind a drain: none, unless it was not the first in a row. */
    Duration nextAfterDrain() {
        if (ceilingNanos > 0) {
            return next();
        }
        ceilingNanos = firstNanos;
        return Duration.ZERO;
    }
}
