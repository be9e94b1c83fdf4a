package org.lrwp.sdk;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one after another, in their order, on a virtual thread that exists while there are
 * some. Thread-safe.
 */
final class SerialTasks implements Runnable {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    void add(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            Thread.ofVirtual().name("lrwp-exchange").start(this);
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
