package org.lrwp.sdk;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Runs tasks one after another, in their order, each seeing what the one before has done. With the
 * caller as executor the first task of several runs at once, on the thread that adds it, and those
 * that are added meanwhile run behind it. Thread-safe; never waits.
 */
public final class SerialTasks extends SerialTask {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Executor executor;

    /**
     * Creates it without a task.
     *
     * @param executor is asked once for all tasks that come while others wait or run
     */
    public SerialTasks(Executor executor) {
        this.executor = executor;
    }

    /**
     * Adds a task.
     *
     * @param task runs behind those that were added before; it must not throw
     */
    public void add(Runnable task) {
        tasks.add(task);
        run(executor);
    }

    @Override
    protected void turn() {
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
            next.run();
        }
    }
}
