package org.lrwp.engine.testkit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A loop without a thread of its own: its tasks run one after the other, by whoever brings the
 * first one. Thread-safe, never blocks.
 */
public final class SerialLoop implements Executor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (count.getAndIncrement() > 0) {
            return;
        }
        do {
            Runnable next = tasks.poll();
            if (next != null) {
                next.run();
            }
        } while (count.decrementAndGet() > 0);
    }
}
