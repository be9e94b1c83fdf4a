package org.lrwp.webapp.servlet;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets many threads ask for one task without two ever running it at the same time: whoever asks
 * while it runs makes the running thread run it once more. Nobody waits.
 */
final class Turns {
    private final AtomicInteger asked = new AtomicInteger();
    private final Runnable task;

    /**
     * Creates the turns of a task.
     *
     * @param task looks at what there is to do and does it
     */
    Turns(Runnable task) {
        this.task = task;
    }

    /** Keeps the task from running until {@link #release}; only before anybody asks. */
    void hold() {
        asked.incrementAndGet();
    }

    /** Runs the task, and lets others ask. */
    void release() {
        run();
    }

    /** Has the task run: here, or by the thread that runs it already. */
    void ask() {
        if (asked.getAndIncrement() == 0) {
            run();
        }
    }

    private void run() {
        int seen;
        do {
            seen = asked.get();
            task.run();
        } while (asked.addAndGet(-seen) != 0);
    }
}
