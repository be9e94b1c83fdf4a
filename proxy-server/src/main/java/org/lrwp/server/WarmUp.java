package org.lrwp.server;

import org.lrwp.server.training.TrainingLoad;
import org.lrwp.webapp.SpareProxy;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Has the JVM compile what answers requests before the first client comes: one client sends
 * requests to a proxy beside the one that serves. One, because more would take from the compiler
 * the processors that it needs; docs/performance.md, "Start", has the figures.
 */
final class WarmUp {
    private static final System.Logger LOG = System.getLogger(WarmUp.class.getName());

    /** All threads of it, so that what they log is known as its. */
    private static final ThreadGroup THREADS = new ThreadGroup("lrwp-warm-up");

    private static final int CLIENTS = 1;

    private WarmUp() {}

    /**
     * Warms up. Blocks. What goes wrong is logged: the server starts without.
     *
     * @param time how long; 0 = not at all
     */
    static void run(Duration time) {
        if (time.isZero()) {
            return;
        }
        var work = new FutureTask<>(() -> send(time));
        var thread = new Thread(THREADS, work, "lrwp-warm-up");
        thread.start();
        try {
            LOG.log(
                    Level.INFO,
                    "warmed-up requests={0,number,#} milliseconds={1,number,#}",
                    work.get(),
                    time.toMillis());
        } catch (ExecutionException e) {
            LOG.log(Level.WARNING, "warm-up-failed reason=\"{0}\"", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns how many requests were answered. */
    private static int send(Duration time) throws IOException, InterruptedException {
        try (SpareProxy proxy = SpareProxy.start()) {
            int http = proxy.httpPort();
            int lrwp = proxy.lrwpPort();
            return TrainingLoad.send(http, lrwp, CLIENTS, Integer.MAX_VALUE, time).values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
        }
    }

    /** Whether the calling thread is one of its threads. */
    static boolean isHere() {
        return THREADS.parentOf(Thread.currentThread().getThreadGroup());
    }
}
