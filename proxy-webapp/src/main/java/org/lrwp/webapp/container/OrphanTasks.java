package org.lrwp.webapp.container;

import org.glassfish.grizzly.nio.SelectorHandler;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs the tasks of loops whose thread the container has ended, one after the other, on a thread of
 * their own. Thread-safe.
 */
final class OrphanTasks {
    /** What runs tasks, on a thread of the container's. */
    interface Loop extends SelectorHandler.Task {
        /** Says whether its thread handles no event any more. */
        boolean hasEnded();

        @Override
        boolean run();
    }

    private static final System.Logger LOG = System.getLogger(OrphanTasks.class.getName());
    private static final long LOOK_MILLIS = 10;

    private final ScheduledExecutorService executor;

    /**
     * Creates it.
     *
     * @param executor has one thread
     */
    OrphanTasks(ScheduledExecutorService executor) {
        this.executor = executor;
    }

    /** Runs a loop's tasks as soon as its thread handles no event any more. */
    void adopt(Loop loop) {
        try {
            executor.execute(() -> runWhenEnded(loop));
        } catch (RejectedExecutionException closed) {
            LOG.log(System.Logger.Level.DEBUG, "orphan-dropped", closed);
        }
    }

    private void runWhenEnded(Loop loop) {
        if (loop.hasEnded()) {
            loop.run();
        } else {
            var _ = executor.schedule(() -> runWhenEnded(loop), LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
