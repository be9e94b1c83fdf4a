package org.lrwp.bench.servlets;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The event that all users wait for, every two seconds, or as {@code bench.tick-millis} says. */
final class Ticks {
    private static final int TICK_MILLIS = Integer.getInteger("bench.tick-millis", 2000);
    private static final List<Listener> LISTENERS = new CopyOnWriteArrayList<>();
    private static final ScheduledExecutorService CLOCK =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("ticks").factory());
    private static final Future<?> TICKING =
            CLOCK.scheduleAtFixedRate(Ticks::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    private static long number;

    /** Hears of events, on the clock's thread. */
    interface Listener {
        void happened(String event);
    }

    private Ticks() {}

    static void listen(Listener listener) {
        if (!TICKING.isDone()) {
            LISTENERS.add(listener);
        }
    }

    private static void tick() {
        number++;
        String event = "[{\"id\":\"1." + number + "\",\"data\":\"@" + number + "@\"}]";
        LISTENERS.forEach(listener -> listener.happened(event));
    }
}
