package org.lrwp.webapp.steering;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Takes the samples of the traffic, on a thread of its own. */
public final class Sampler implements AutoCloseable {
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

    /** Ends the thread. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
