package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of all peers: virtual ones where the Java runtime has them (21 on), else platform
 * threads. None of them keeps a program alive.
 *
 * <p>How many there are follows from what they do: one for the watch of a proxy and two for each
 * connection, and one for each request under way, which the peer's concurrency limits. A platform
 * thread that has answered a request stays for the next one, for a while.
 */
public final class PeerThreads {
    private static final Duration STAY = Duration.ofSeconds(10);

    private static final @Nullable ThreadFactory VIRTUAL = virtual();
    private static final Executor HANDLERS =
            VIRTUAL == null ? pool() : task -> start("lrwp-request", task);

    private PeerThreads() {}

    /**
     * Returns what runs the handlers of all peers: each task at once, on a thread that may block.
     *
     * @return never refuses and never queues
     */
    public static Executor handlers() {
        return HANDLERS;
    }

    /** Starts a thread for one task. */
    static void start(String name, Runnable task) {
        Thread thread = VIRTUAL == null ? platform(task) : VIRTUAL.newThread(task);
        thread.setName(name);
        thread.start();
    }

    private static Thread platform(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns threads that are used again; there is no queue, so nothing waits for one. */
    static ThreadPoolExecutor pool() {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                STAY.toMillis(),
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                PeerThreads::handler);
    }

    private static Thread handler(Runnable worker) {
        Thread thread = platform(worker);
        thread.setName("lrwp-request");
        return thread;
    }

    /** Asks by name, as Java 17 does not know the methods; null where there are no such threads. */
    private static @Nullable ThreadFactory virtual() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            return (ThreadFactory) type.getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException e) {
            // Java 19 and 20 have the methods, which throw.
            return null;
        }
    }
}
