package org.lrwp.server;

import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.lrwp.server.training.TrainingLoad;
import org.lrwp.webapp.GrizzlyReach;
import org.lrwp.webapp.SpareProxy;
import org.lrwp.webapp.container.OwnListener;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

    /** Of the listener, for what blocks. */
    private static final int BLOCKING_THREADS = 1;

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

    private static TCPNIOTransport noContainer() throws IOException {
        throw new IOException("the warm-up has no container");
    }

    /** Returns how many requests were answered. */
    private static int send(Duration time) throws IOException, InterruptedException {
        try (OwnListener listener =
                        OwnListener.start(BLOCKING_THREADS, false, WarmUp::noContainer);
                SpareProxy proxy = SpareProxy.start(new GrizzlyReach(listener))) {
            int http = listener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
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
