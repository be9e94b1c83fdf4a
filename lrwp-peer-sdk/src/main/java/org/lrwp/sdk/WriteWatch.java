package org.lrwp.sdk;

import java.util.function.LongSupplier;

/**
 * Notices a write that does not return because the other side has stopped to read. One thread
 * writes, any may ask.
 */
final class WriteWatch {
    private static final long IDLE = Long.MIN_VALUE;

    private final LongSupplier nanoTime;
    private volatile long since = IDLE;

    WriteWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void begin() {
        since = nanoTime.getAsLong();
    }

    void end() {
        since = IDLE;
    }

    /** Says whether a write is under way for longer than that. */
    boolean isStalled(long nanos) {
        long begun = since;
        return begun != IDLE && nanoTime.getAsLong() - begun > nanos;
    }
}
