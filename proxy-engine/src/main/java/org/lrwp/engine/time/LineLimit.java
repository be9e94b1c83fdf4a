package org.lrwp.engine.time;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps what strangers can bring about as often as they like from filling the log: above a rate the
 * events are counted, and the next line says how many had none. Thread-safe, never blocks.
 */
public final class LineLimit {
    /** So many seconds' lines may be written at once. */
    private static final int BURST_SECONDS = 10;

    private final @Nullable TurnBucket turns;
    private final AtomicLong omitted = new AtomicLong();

    /**
     * Creates it without an event.
     *
     * @param perSecond lines a second; 0 = any number
     * @param clock the time
     */
    public LineLimit(int perSecond, NanoClock clock) {
        this.turns =
                perSecond == 0 ? null : new TurnBucket(perSecond, perSecond * BURST_SECONDS, clock);
    }

    /**
     * Asks for a line, or has the event counted.
     *
     * @return what the line ends with: nothing, or how many before it have none; null when this one
     *     has none
     */
    public @Nullable String next() {
        if (turns != null && !turns.takeNow()) {
            omitted.incrementAndGet();
            return null;
        }
        long before = omitted.getAndSet(0);
        return before == 0 ? "" : " omitted=" + before;
    }
}
