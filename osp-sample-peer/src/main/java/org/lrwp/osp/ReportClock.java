package org.lrwp.osp;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Calls for a report at intervals, on a thread of its own, until it is stopped. */
final class ReportClock {
    private final ScheduledExecutorService executor;
    private final ScheduledFuture<?> calls;

    private ReportClock(ScheduledExecutorService executor, ScheduledFuture<?> calls) {
        this.executor = executor;
        this.calls = calls;
    }

    static ReportClock start(Duration interval, Runnable report) {
        ScheduledExecutorService executor =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("osp-report").factory());
        long nanos = interval.toNanos();
        return new ReportClock(
                executor, executor.scheduleAtFixedRate(report, nanos, nanos, TimeUnit.NANOSECONDS));
    }

    /** Ends the calls; one that is under way is let finish. More calls are harmless. */
    void stop() {
        calls.cancel(false);
        executor.shutdown();
    }
}
