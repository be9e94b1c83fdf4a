package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes spools and keeps their sum within the limits; its threads work on their files. Thread-safe;
 * only {@link #close} blocks.
 */
public final class SpoolStore implements AutoCloseable {
    private static final int DISK_THREADS = 2;
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

    private final SpoolSpace space;
    private final @Nullable ExecutorService threads;

    /**
     * Creates a store whose files are worked on by threads of its own.
     *
     * @param config its limits
     * @return a store that has to be closed
     */
    public static SpoolStore open(SpoolConfig config) {
        var count = new AtomicInteger();
        var threads =
                new ThreadPoolExecutor(
                        DISK_THREADS,
                        DISK_THREADS,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task ->
                                Thread.ofPlatform()
                                        .daemon()
                                        .name("lrwp-disk-" + count.getAndIncrement())
                                        .unstarted(task));
        threads.prestartAllCoreThreads();
        return new SpoolStore(config, threads, threads);
    }

    /**
     * Creates a store whose files are worked on by whoever calls.
     *
     * @param config its limits
     */
    public SpoolStore(SpoolConfig config) {
        this(config, Runnable::run);
    }

    /**
     * Creates a store whose files are worked on by an executor.
     *
     * @param config its limits
     * @param disk may run many tasks at once, each of which blocks on the disk
     */
    public SpoolStore(SpoolConfig config, Executor disk) {
        this(config, disk, null);
    }

    private SpoolStore(SpoolConfig config, Executor disk, @Nullable ExecutorService threads) {
        this.space = new SpoolSpace(config, disk);
        this.threads = threads;
    }

    /** Ends the threads when they have done what they were given. Idempotent. */
    @Override
    public void close() {
        if (threads == null) {
            return;
        }
        threads.shutdown();
        try {
            threads.awaitTermination(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Makes a spool for the body of a request, which can be read again from its start.
     *
     * @return a new spool; whoever asked for it closes it
     */
    public Spool forRequest() {
        return new Spool(space, true);
    }

    /**
     * Makes a spool for the body of an answer, which forgets what has been read.
     *
     * @return a new spool; whoever asked for it closes it
     */
    public Spool forAnswer() {
        return new Spool(space, false);
    }

    /**
     * Returns what bodies hold in memory now.
     *
     * @return bytes
     */
    public long memoryBytes() {
        return space.memoryBytes();
    }

    /**
     * Returns what bodies hold in temporary files now.
     *
     * @return bytes
     */
    public long diskBytes() {
        return space.diskBytes();
    }
}
