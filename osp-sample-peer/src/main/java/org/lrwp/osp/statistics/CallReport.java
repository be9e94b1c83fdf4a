package org.lrwp.osp.statistics;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Turns counters into log lines: one for each span in which something happened, one with the totals
 * at the end. A call counts in the span in which it became whole, so the spans add up to the total.
 * Any thread may call it; whoever made it calls {@link #span} at intervals.
 */
public final class CallReport {
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    private final CallCounters counters;
    private final LongSupplier nanoTime;
    private final Consumer<String> log;
    private final long startNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private CallTotals reported = CallTotals.ZERO;
    private long reportedNanos;

    /**
     * Creates a report whose first span begins now.
     *
     * @param counters what is reported
     * @param nanoTime a clock for spans, as {@link System#nanoTime}
     * @param log takes the lines
     */
    public CallReport(CallCounters counters, LongSupplier nanoTime, Consumer<String> log) {
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.log = log;
        this.startNanos = nanoTime.getAsLong();
        this.reportedNanos = startNanos;
    }

    /** Ends a span: reports what happened in it, if anything, and begins the next. */
    public void span() {
        String line;
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            CallTotals totals = counters.totals();
            CallTotals span = totals.minus(reported);
            line =
                    span.equals(CallTotals.ZERO)
                            ? ""
                            : "calls cpm="
                                    + perMinute(
                                            totals.calls() - reported.calls(), now - reportedNanos)
                                    + " "
                                    + span.keysAndValues();
            reported = totals;
            reportedNanos = now;
        } finally {
            lock.unlock();
        }
        if (!line.isEmpty()) {
            log.accept(line);
        }
    }

    /** Reports the last span and then the totals since the report was made. */
    public void end() {
        span();
        CallTotals totals = counters.totals();
        log.accept(
                "calls-total calls="
                        + totals.calls()
                        + " "
                        + totals.keysAndValues()
                        + " seconds="
                        + (nanoTime.getAsLong() - startNanos) / SECOND_NANOS);
    }

    private static long perMinute(long calls, long nanos) {
        return nanos <= 0 ? 0 : Math.round((double) calls * MINUTE_NANOS / nanos);
    }
}
