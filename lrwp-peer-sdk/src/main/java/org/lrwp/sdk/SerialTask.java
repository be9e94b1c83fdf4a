package org.lrwp.sdk;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A task that many threads ask for and that never runs twice at the same time: whoever asks while
 * it runs makes the running thread run it once more. Nobody waits. For an asynchronous handler it
 * is the place where everything comes together that its exchange says, from whatever thread.
 */
public abstract class SerialTask implements Runnable {
    private static final AtomicIntegerFieldUpdater<SerialTask> ASKED =
            AtomicIntegerFieldUpdater.newUpdater(SerialTask.class, "asked");

    /** How often it was asked for and has not run since. */
    private volatile int asked;

    /** Creates a task that nobody has asked for. */
    protected SerialTask() {}

    /** Looks at what there is to do and does it. */
    protected abstract void turn();

    /** Keeps the task from running until {@link #release}; only before anybody asks. */
    protected final void hold() {
        ASKED.incrementAndGet(this);
    }

    /** Runs the task, and lets others ask. */
    protected final void release() {
        perform();
    }

    /** Has the task run: here, or by the thread that runs it already. */
    @Override
    public final void run() {
        if (ASKED.getAndIncrement(this) == 0) {
            perform();
        }
    }

    /** Has the task run: by an executor, or by the thread that runs it already. */
    final void run(Executor executor) {
        if (ASKED.getAndIncrement(this) == 0) {
            executor.execute(this::perform);
        }
    }

    private void perform() {
        int seen;
        do {
            seen = asked;
            turn();
        } while (ASKED.addAndGet(this, -seen) != 0);
    }
}
