package org.lrwp.events.fanout;

import org.lrwp.events.channel.Channels;
import org.lrwp.events.event.EventId;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.PeerExchange;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What is done to one client: events, signs of life, and its end. A client that fails costs itself
 * only. Called on the thread that the subscription belongs to; never blocks.
 */
final class Delivery {
    private static final System.Logger LOG = System.getLogger(Delivery.class.getName());
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Channels channels;
    private final Supplier<FanOutLimits> limits;
    private final FanOutCounters counters;
    private final RandomGenerator random;

    Delivery(
            Channels channels,
            Supplier<FanOutLimits> limits,
            FanOutCounters counters,
            RandomGenerator random) {
        this.channels = channels;
        this.limits = limits;
        this.counters = counters;
        this.random = random;
    }

    /** Begins: a stream gets its head, a poll its time. */
    void begin(Subscription subscription, long now) {
        if (!subscription.form().isStream()) {
            subscription.due(now + subscription.timeoutNanos());
            return;
        }
        try {
            subscription.exchange().respond(200, headers(subscription, 200));
            EventId from = channels.idOf(subscription.position(), subscription.filter());
            write(subscription, subscription.form().preamble(from, retryMillis()), now);
        } catch (RuntimeException | Error e) {
            fail(subscription, e);
        }
    }

    /** Gives a client all that there is for it, as far as it takes it. */
    void serve(Subscription subscription, Batches batches, long now) {
        try {
            FanOutLimits current = limits.get();
            while (!subscription.isOver() && subscription.isWelcome()) {
                Batch batch = batches.next(subscription, current);
                if (batch == null) {
                    subscription.caughtUp();
                    return;
                }
                subscription.moveTo(batch.position());
                counters.delivered.add(batch.events());
                if (batch.gap()) {
                    counters.gaps.increment();
                }
                if (subscription.form().isStream()) {
                    write(subscription, batch.bytes().duplicate(), now);
                } else {
                    answer(subscription, 200, batch.bytes().duplicate());
                }
            }
        } catch (RuntimeException | Error e) {
            fail(subscription, e);
        }
    }

    private void write(Subscription subscription, ByteBuffer bytes, long now) {
        subscription.expectWritable();
        subscription.due(now + limits.get().keepAlive().toNanos());
        if (!subscription.exchange().write(bytes)) {
            subscription.block(now);
        }
    }

    /** Looks whether its time is over. */
    void lookAtTime(Subscription subscription, long now) {
        if (subscription.isOver()) {
            return;
        }
        try {
            if (!subscription.isWelcome()) {
                if (now - subscription.dueNanos() >= limits.get().slowTime().toNanos()) {
                    cut(subscription);
                }
            } else if (now - subscription.dueNanos() >= 0) {
                due(subscription, now);
            }
        } catch (RuntimeException | Error e) {
            fail(subscription, e);
        }
    }

    private void due(Subscription subscription, long now) {
        if (subscription.form().isStream()) {
            write(subscription, subscription.form().keepAlive(), now);
        } else {
            counters.empty.increment();
            answer(subscription, 204, NOTHING.duplicate());
        }
    }

    private void cut(Subscription subscription) {
        if (subscription.end()) {
            counters.cut.increment();
            subscription.exchange().abort("the client takes nothing");
        }
    }

    /** Sends a client away because the module ends. */
    void dismiss(Subscription subscription, long now) {
        try {
            if (!subscription.form().isStream()) {
                answer(subscription, 503, NOTHING.duplicate());
            } else if (!subscription.isWelcome()) {
                cut(subscription);
            } else if (!subscription.isOver()) {
                EventId from = channels.idOf(subscription.position(), subscription.filter());
                write(subscription, subscription.form().farewell(from, retryMillis()), now);
                if (subscription.end()) {
                    subscription.exchange().complete();
                }
            }
        } catch (RuntimeException | Error e) {
            fail(subscription, e);
        }
    }

    private void answer(Subscription subscription, int status, ByteBuffer bytes) {
        if (!subscription.end()) {
            return;
        }
        subscription.exchange().answer(status, headers(subscription, status), bytes);
    }

    private List<HeaderField> headers(Subscription subscription, int status) {
        List<HeaderField> headers = new ArrayList<>(subscription.headers());
        String id = channels.idOf(subscription.position(), subscription.filter()).toString();
        headers.add(new HeaderField("Last-Event-ID", id));
        if (status == 200) {
            headers.add(new HeaderField("Content-Type", subscription.form().contentType()));
        } else if (status == 503) {
            headers.add(new HeaderField("Retry-After", Long.toString(retrySeconds())));
        }
        return headers;
    }

    private void fail(Subscription subscription, Throwable cause) {
        LOG.log(Level.WARNING, "event-not-delivered", cause);
        counters.failed.increment();
        PeerExchange exchange = subscription.exchange();
        subscription.end();
        try {
            exchange.abort("the event could not be delivered");
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "exchange-not-aborted", e);
        }
    }

    long retrySeconds() {
        return Math.max(1, Math.ceilDiv(retryMillis(), 1000));
    }

    private long retryMillis() {
        long least = limits.get().retryAfter().toMillis();
        return least + random.nextLong(Math.max(1, least));
    }
}
