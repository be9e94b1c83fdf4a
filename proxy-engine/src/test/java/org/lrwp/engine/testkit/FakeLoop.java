package org.lrwp.engine.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** A loop thread's tasks, run when a test says so. One thread. */
public final class FakeLoop implements Executor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs all tasks, and those that they add. */
    public void run() {
        Runnable task = tasks.poll();
        while (task != null) {
            task.run();
            task = tasks.poll();
        }
    }
}
