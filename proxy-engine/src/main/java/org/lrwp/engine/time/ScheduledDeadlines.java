package org.lrwp.engine.time;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Deadlines on one thread of their own. */
public final class ScheduledDeadlines implements Deadlines, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ScheduledDeadlines.class.getName());
    private static final Deadline NEVER = () -> {};

    private final ScheduledThreadPoolExecutor executor;

    /** Starts the thread. */
    public ScheduledDeadlines() {
        executor =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().name("lrwp-deadlines").daemon().factory());
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Deadline after(long delayNanos, Runnable task) {
        try {
            Future<?> future = executor.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return NEVER;
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "deadline-task-failed", e);
        }
    }

    /** Ends the thread; what has not been called is dropped. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
