package org.lrwp.webapp.client;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs something once, however often and by however many threads it is asked: a client may leave in
 * the moment in which it becomes a tunnel, and then both ends are seen. Thread-safe.
 */
final class Once implements Runnable {
    private final Runnable task;
    private final AtomicBoolean run = new AtomicBoolean();

    Once(Runnable task) {
        this.task = task;
    }

    @Override
    public void run() {
        if (run.compareAndSet(false, true)) {
            task.run();
        }
    }
}
