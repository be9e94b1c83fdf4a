package org.lrwp.acme;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs tasks later, one at a time. Any thread. */
interface Timer extends AutoCloseable {
    /** Runs a task after some time; not when the timer is closed by then. */
    void after(Duration time, Runnable task);

    /** Interrupts the task that runs, and drops those that wait. */
    @Override
    void close();

    /** On a virtual thread of its own: its tasks may block. */
    static Timer ofThread(String name) {
        ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name(name).factory());
        return new Timer() {
            @Override
            public void after(Duration time, Runnable task) {
                // Tasks handle their own exceptions.
                var _ = thread.schedule(task, time.toNanos(), TimeUnit.NANOSECONDS);
            }

            @Override
            public void close() {
                thread.shutdownNow();
            }
        };
    }
}
