package org.lrwp.osp.token;

import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that sign, as many as there are processors, with a bounded queue before them: RSA
 * signatures neither hold up a connection nor pile up. Any thread may call it.
 */
public final class SigningPool implements AutoCloseable {
    private final ThreadPoolExecutor threads;

    /**
     * Creates a pool.
     *
     * @param size threads, 1 or more
     * @param waiting signatures that may wait, 1 or more; more are refused with 503
     */
    public SigningPool(int size, int waiting) {
        threads =
                new ThreadPoolExecutor(
                        size,
                        size,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(waiting),
                        Thread.ofPlatform().daemon().name("osp-sign-", 1).factory());
    }

    /**
     * Does all tasks, side by side, and waits for them.
     *
     * @param <T> what a task makes
     * @param tasks the tasks, none of which may fail
     * @return what they made, in their order
     * @throws RefusedException when too many wait
     */
    public <T> List<T> all(List<Callable<T>> tasks) throws RefusedException {
        List<Future<T>> futures = new ArrayList<>(tasks.size());
        try {
            for (Callable<T> task : tasks) {
                futures.add(threads.submit(task));
            }
            List<T> results = new ArrayList<>(tasks.size());
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (RejectedExecutionException full) {
            futures.forEach(future -> future.cancel(false));
            throw new RefusedException(
                    Status.SERVICE_UNAVAILABLE, "too many signatures are waited for");
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a signature failed", failed.getCause());
        } catch (InterruptedException cancelled) {
            futures.forEach(future -> future.cancel(false));
            Thread.currentThread().interrupt();
            throw new RefusedException(Status.SERVICE_UNAVAILABLE, "cancelled");
        }
    }

    /** Ends the threads when they have done what waits. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
