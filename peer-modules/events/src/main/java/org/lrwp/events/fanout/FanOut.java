package org.lrwp.events.fanout;

import org.lrwp.events.channel.Channel;
import org.lrwp.events.channel.Channels;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Everybody who waits, shared among a few drainers. Thread-safe; nothing here blocks, but for
 * {@link #close}.
 */
public final class FanOut implements AutoCloseable {
    private final Channels channels;
    private final Delivery delivery;
    private final LongSupplier clock;
    private final List<Drainer> drainers = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Makes a fan-out whose threads have not been started.
     *
     * @param channels where events are
     * @param limits how long and how much, now
     * @param counters gets what happens
     * @param clock nanoseconds
     * @param random spreads what would come together
     * @param threads drainers
     */
    public FanOut(
            Channels channels,
            Supplier<FanOutLimits> limits,
            FanOutCounters counters,
            LongSupplier clock,
            RandomGenerator random,
            int threads) {
        this.channels = channels;
        this.clock = clock;
        this.delivery = new Delivery(channels, limits, counters, random);
        for (int i = 0; i < threads; i++) {
            drainers.add(new Drainer(channels, delivery, counters, clock, Alarm.ofThread()));
        }
    }

    /** Starts the threads; once. */
    public void start() {
        for (int i = 0; i < drainers.size(); i++) {
            Thread.ofPlatform().daemon().name("events-drainer-" + i).start(drainers.get(i));
        }
    }

    /**
     * Lets a client wait, or answers it at once when there is something for it.
     *
     * @param subscription a new one
     */
    public void subscribe(Subscription subscription) {
        long now = clock.getAsLong();
        subscription.exchange().listen(subscription);
        delivery.begin(subscription, now);
        delivery.serve(subscription, new Batches(channels), now);
        // What is missed from now on was not missed before.
        boolean _ = subscription.takeFromOldest();
        if (subscription.exchange().isCancelled()) {
            // It may have been cancelled before it had a listener.
            subscription.onCancelled("the client is gone");
        }
        if (!subscription.isOver()) {
            int turn = Math.floorMod(next.getAndIncrement(), drainers.size());
            drainers.get(turn).take(subscription);
        }
    }

    /**
     * Says that there are new events.
     *
     * @param changed the channels that have them; their head has moved already
     */
    public void published(List<Channel> changed) {
        long now = clock.getAsLong();
        drainers.forEach(drainer -> drainer.changed(changed, now));
    }

    /**
     * Says when a client that is sent away shall come again.
     *
     * @return seconds, at least 1
     */
    public long retrySeconds() {
        return delivery.retrySeconds();
    }

    /** Sends everybody away, also those that still come. */
    public void drain() {
        drainers.forEach(Drainer::drain);
    }

    /** Does what there is to do, on this thread; instead of {@link #start}. */
    void round() {
        drainers.forEach(Drainer::round);
    }

    /** Ends the threads. */
    @Override
    public void close() {
        drainers.forEach(Drainer::close);
    }
}
