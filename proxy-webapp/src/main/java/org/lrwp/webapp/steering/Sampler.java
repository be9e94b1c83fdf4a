package org.lrwp.webapp.steering;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Takes the samples of the traffic, and other looks at it, on a thread of its own. */
public final class Sampler implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Sampler.class.getName());

    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(
                    task -> Thread.ofPlatform().daemon().name("lrwp-samples").unstarted(task));

    private Sampler() {}

    /**
     * Starts the thread.
     *
     * @param traffic what is sampled
     * @return to be closed
     */
    public static Sampler start(Traffic traffic) {
        var sampler = new Sampler();
        long step = Traffic.STEP.toMillis();
        var _ =
                sampler.executor.scheduleAtFixedRate(
                        traffic::sample, step, step, TimeUnit.MILLISECONDS);
        return sampler;
    }

    /**
     * Has something else looked at on this thread.
     *
     * @param step time from one look to the next
     * @param look returns soon; what it throws ends only that look
     */
    public void every(Duration step, Runnable look) {
        Runnable safe =
                () -> {
                    try {
                        look.run();
                    } catch (RuntimeException e) {
                        LOG.log(Level.ERROR, "look-failed", e);
                    }
                };
        var _ =
                executor.scheduleAtFixedRate(
                        safe, step.toMillis(), step.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the thread. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
