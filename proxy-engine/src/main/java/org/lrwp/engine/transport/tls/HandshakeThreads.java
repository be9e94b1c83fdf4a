package org.lrwp.engine.transport.tls;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what takes long: the computations of handshakes, and files. At most so many at once;
 * further work waits: whoever brings it bounds it. Thread-safe.
 */
public final class HandshakeThreads implements Executor, AutoCloseable {
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;

    /**
     * Creates it without a thread.
     *
     * @param name of the threads; their number follows
     * @param most threads
     */
    public HandshakeThreads(String name, int most) {
        pool =
                new ThreadPoolExecutor(
                        most,
                        most,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name(name, 0).factory());
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * {@inheritDoc}
     *
     * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
     */
    @Override
    public void execute(Runnable work) {
        pool.execute(work);
    }

    /** Takes nothing more; what it has is done. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
