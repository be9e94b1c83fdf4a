package org.lrwp.events.fanout;

import org.lrwp.events.channel.Channel;
import org.lrwp.events.channel.Channels;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * One thread and the clients that belong to it.
 *
 * <p>Purpose: whatever one client does, the others get their events. Design: a client's
 * subscription is touched by this thread alone, so nothing of it needs a lock; others leave it in a
 * queue. A new one is left there without a wake-up, for thousands come when nothing happens.
 * Ordering promise, by which no wake-up is lost: who subscribes leaves the subscription first and
 * looks at the head of the channels then; who publishes moves the head first and wakes the drainer
 * then. One of the two always sees the other.
 */
final class Drainer implements Runnable, Subscription.Keeper {
    private static final System.Logger LOG = System.getLogger(Drainer.class.getName());

    /** How often times are looked at; what is due waits that much longer at most. */
    static final long TICK_NANOS = 500_000_000L;

    /** A channel that has a new event, and since when. */
    private record Change(Channel channel, long nanos) {}

    private final Channels channels;
    private final Delivery delivery;
    private final FanOutCounters counters;
    private final LongSupplier clock;
    private final Alarm alarm;
    private final Batches batches;
    private final Queue<Subscription> arrivals = new ConcurrentLinkedQueue<>();
    private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
    private final Map<Channel, List<Subscription>> waiting = new HashMap<>();
    private volatile boolean idle;
    private volatile boolean draining;
    private volatile boolean closed;
    private long tickNanos;

    Drainer(
            Channels channels,
            Delivery delivery,
            FanOutCounters counters,
            LongSupplier clock,
            Alarm alarm) {
        this.channels = channels;
        this.delivery = delivery;
        this.counters = counters;
        this.clock = clock;
        this.alarm = alarm;
        this.batches = new Batches(channels);
        this.tickNanos = clock.getAsLong();
    }

    // ---- From any thread.

    /** Takes a new subscription over. */
    void take(Subscription subscription) {
        // After that its position is the drainer's to change.
        long position = subscription.position();
        subscription.handTo(this);
        arrivals.add(subscription);
        if (channels.head() > position || draining) {
            wake();
        }
    }

    @Override
    public void lookAt(Subscription subscription) {
        arrivals.add(subscription);
        wake();
    }

    /** There are new events, and the head of the channels says so. */
    void changed(List<Channel> changed, long nanos) {
        for (Channel channel : changed) {
            changes.add(new Change(channel, nanos));
        }
        wake();
    }

    @Override
    public void left() {
        counters.left.increment();
    }

    /** Sends everybody away, also those that still come. */
    void drain() {
        draining = true;
        wake();
    }

    void close() {
        closed = true;
        wake();
    }

    private void wake() {
        if (idle) {
            idle = false;
            alarm.wake();
        }
    }

    // ---- Its thread.

    @Override
    public void run() {
        while (!closed) {
            try {
                round();
            } catch (RuntimeException | Error e) {
                // Whatever it was, everybody else still waits.
                LOG.log(Level.ERROR, "drainer-failed", e);
            }
            rest();
        }
    }

    /** Sleeps until there is something to do; returns early now and then. */
    void rest() {
        idle = true;
        // Whoever has left something before that, and saw no idle drainer, is seen here.
        long left = tickNanos + TICK_NANOS - clock.getAsLong();
        if (changes.isEmpty() && arrivals.isEmpty() && left > 0 && !closed) {
            alarm.sleep(left);
        }
        idle = false;
    }

    /** Does what there is to do. */
    void round() {
        batches.forget();
        long now = clock.getAsLong();
        Subscription next = arrivals.poll();
        while (next != null) {
            arrived(next, now);
            next = arrivals.poll();
        }
        sweepChanged(now);
        if (draining) {
            dismissAll(now);
        }
        if (now - tickNanos >= TICK_NANOS) {
            tickNanos = now;
            tick(now);
        }
    }

    private void arrived(Subscription subscription, long now) {
        if (subscription.isOver()) {
            return;
        }
        if (subscription.takeNew()) {
            for (Channel channel : subscription.channels()) {
                waiting.computeIfAbsent(channel, any -> new ArrayList<>()).add(subscription);
            }
        }
        delivery.serve(subscription, batches, now);
    }

    private void sweepChanged(long now) {
        Map<Channel, Long> changed = new HashMap<>();
        Change next = changes.poll();
        while (next != null) {
            changed.putIfAbsent(next.channel, next.nanos);
            next = changes.poll();
        }
        batches.forget();
        changed.forEach(
                (channel, since) -> {
                    sweep(channel, now);
                    counters.lastNanos.set(clock.getAsLong() - since);
                });
    }

    private void sweep(Channel channel, long now) {
        List<Subscription> all = waiting.get(channel);
        if (all == null) {
            return;
        }
        int kept = 0;
        for (Subscription one : all) {
            delivery.serve(one, batches, now);
            if (!one.isOver()) {
                all.set(kept++, one);
            }
        }
        shorten(channel, all, kept);
    }

    private void shorten(Channel channel, List<Subscription> all, int kept) {
        all.subList(kept, all.size()).clear();
        if (all.isEmpty()) {
            waiting.remove(channel);
        }
    }

    private void tick(long now) {
        for (Channel channel : List.copyOf(waiting.keySet())) {
            List<Subscription> all = waiting.getOrDefault(channel, List.of());
            int kept = 0;
            for (Subscription one : all) {
                delivery.lookAtTime(one, now);
                if (!one.isOver()) {
                    all.set(kept++, one);
                }
            }
            shorten(channel, all, kept);
        }
    }

    private void dismissAll(long now) {
        waiting.values().forEach(all -> all.forEach(one -> delivery.dismiss(one, now)));
        waiting.clear();
    }
}
