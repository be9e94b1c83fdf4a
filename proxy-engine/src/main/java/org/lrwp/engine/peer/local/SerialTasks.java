package org.lrwp.engine.peer.local;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one after another, in their order, each seeing what the one before has done. With the
 * caller as executor the first task of several runs at once, on the thread that adds it, and those
 * that are added meanwhile run behind it. Thread-safe; never waits.
 */
final class SerialTasks implements Runnable {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Executor executor;

    SerialTasks(Executor executor) {
        this.executor = executor;
    }

    void add(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            executor.execute(this);
        }
    }

    @Override
    public void run() {
        do {
            Runnable next = tasks.poll();
            if (next != null) {
                next.run();
            }
        } while (waiting.decrementAndGet() > 0);
    }
}
