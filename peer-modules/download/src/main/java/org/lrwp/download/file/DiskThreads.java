package org.lrwp.download.file;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The threads that wait for the disk, so that no other thread does. What waits for them is bounded
 * by the requests that are under way: each has one task at a time. Thread-safe.
 */
public final class DiskThreads implements AutoCloseable {
    private final ExecutorService threads;

    /**
     * Starts the threads as they are needed.
     *
     * @param count the most at once, at least 1
     */
    public DiskThreads(int count) {
        this.threads =
                Executors.newFixedThreadPool(
                        count, Thread.ofPlatform().daemon().name("download-disk-", 1).factory());
    }

    /**
     * Does something that may wait for the disk.
     *
     * @param task what to do
     * @return whether it will be done; not after the end
     */
    public boolean execute(Runnable task) {
        try {
            threads.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Takes no more tasks, and waits a moment for those that run; blocks. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
