package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs each task on a virtual thread of its own and interrupts it when it takes too long, which
 * closes the connection it reads or writes: half a request holds nobody up. A task that has read
 * its request calls {@link #untimed}, so that what it does then is not interrupted.
 */
final class TimedThreads implements Executor, AutoCloseable {
    private final Duration most;
    private final ScheduledThreadPoolExecutor timer;
    private static final ThreadLocal<@Nullable Turn> TURN = new ThreadLocal<>();

    TimedThreads(String name, Duration most) {
        this.most = most;
        this.timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name(name + "-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        // A task that begins while it closes has no time: its connection is closed too.
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public void execute(Runnable task) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            var turn = new Turn(Thread.currentThread());
                            var end =
                                    timer.schedule(turn::end, most.toNanos(), TimeUnit.NANOSECONDS);
                            TURN.set(turn);
                            try {
                                task.run();
                            } finally {
                                turn.over();
                                end.cancel(false);
                            }
                        });
    }

    /** Ends the time of the calling task, if it is one of these and in time. */
    static void untimed() {
        Turn turn = TURN.get();
        if (turn != null) {
            turn.over();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** A task that may be interrupted until it is over. */
    private static final class Turn {
        private final Thread thread;
        private final ReentrantLock lock = new ReentrantLock();
        private boolean over;

        Turn(Thread thread) {
            this.thread = thread;
        }

        void end() {
            lock.lock();
            try {
                if (!over) {
                    thread.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        void over() {
            lock.lock();
            try {
                over = true;
            } finally {
                lock.unlock();
            }
        }
    }
}
