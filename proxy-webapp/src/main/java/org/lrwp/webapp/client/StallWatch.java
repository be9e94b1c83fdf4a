package org.lrwp.webapp.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Looks once a second at clients that keep something waiting. Only slow ones are here; a client
 * that reads its answer at once never is. Thread-safe.
 */
public final class StallWatch implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 1000;

    private final Set<BooleanSupplier> watched = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(
                    task -> Thread.ofPlatform().daemon().name("lrwp-stalls").unstarted(task));

    /** Creates a watch and starts its thread. */
    public StallWatch() {
        var _ =
                executor.scheduleWithFixedDelay(
                        this::look, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Has something looked at.
     *
     * @param check called once a second by the watch's thread until it says false; must not block
     */
    public void add(BooleanSupplier check) {
        watched.add(check);
    }

    /**
     * Says how many clients keep something waiting.
     *
     * @return about, of the last second
     */
    int size() {
        return watched.size();
    }

    /** Looks at everything once, as the thread does once a second. */
    public void look() {
        watched.removeIf(check -> !goesOn(check));
    }

    private static boolean goesOn(BooleanSupplier check) {
        try {
            return check.getAsBoolean();
        } catch (RuntimeException e) {
            System.getLogger(StallWatch.class.getName())
                    .log(System.Logger.Level.ERROR, "stall-watch-failed", e);
            return false;
        }
    }

    /** Ends the thread. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
