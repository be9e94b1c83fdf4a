package org.lrwp.events.fanout;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.channel.Backlog;
import org.lrwp.events.channel.Channel;
import org.lrwp.events.channel.Channels;
import org.lrwp.events.event.Event;
import org.lrwp.events.event.EventId;
import org.lrwp.events.event.Form;
import org.lrwp.events.event.Seen;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Makes batches, and remembers the last one of each form: thousands who wait in a channel are all
 * at the same position. For one thread.
 */
final class Batches {
    /** A batch, and who it is for. */
    private record Known(Channel channel, long position, @Nullable Seen filter, Batch batch) {}

    private final Channels channels;
    private final @Nullable Known[] last = new Known[Form.COUNT];

    Batches(Channels channels) {
        this.channels = channels;
    }

    /** Forgets what is known: there may be more now. */
    void forget() {
        Arrays.fill(last, null);
    }

    /** What a client has to get now; null when there is nothing. */
    @Nullable Batch next(Subscription subscription, FanOutLimits limits) {
        long position = subscription.position();
        EventId asked = subscription.takeAsked();
        if (asked == null && channels.head() <= position) {
            return null;
        }
        List<Channel> entered = subscription.channels();
        boolean shared = asked == null && entered.size() == 1 && !subscription.isSlow();
        int form = subscription.form().number();
        Known known = last[form];
        if (shared
                && known != null
                && known.position == position
                && Objects.equals(known.filter, subscription.filter())
                && known.channel == entered.getFirst()) {
            return known.batch;
        }
        // Clients that do not keep up stand each somewhere else: a batch of its own for each would
        // take the drainer's time from the others, and memory. Single events are shared.
        int most = subscription.isSlow() ? 1 : limits.batchEvents();
        Backlog backlog = channels.read(entered, position, most, subscription.filter());
        if (backlog.isEmpty() && asked == null) {
            // Events of other channels: it is further on, though there is nothing to tell.
            subscription.moveTo(backlog.position());
            return null;
        }
        Batch batch = batch(subscription, asked, backlog, limits);
        if (shared) {
            last[form] = new Known(entered.getFirst(), position, subscription.filter(), batch);
        }
        return batch;
    }

    private EventId id(Subscription subscription, long position) {
        return channels.idOf(position, subscription.filter());
    }

    private Batch batch(
            Subscription subscription,
            @Nullable EventId asked,
            Backlog backlog,
            FanOutLimits limits) {
        Form form = subscription.form();
        boolean named = subscription.channels().size() > 1;
        List<ByteBuffer> parts = new ArrayList<>(backlog.events().size() + 1);
        boolean wanted = subscription.takeFromOldest();
        boolean gap = asked != null || (backlog.gap() && !wanted);
        if (gap) {
            EventId missed = asked == null ? id(subscription, subscription.position()) : asked;
            parts.add(form.gap(id(subscription, backlog.from()), missed));
        }
        long size = 0;
        int count = 0;
        for (Event event : backlog.events()) {
            ByteBuffer bytes = event.with(subscription.filter()).written(form, named);
            size += bytes.remaining();
            if (count > 0 && size > limits.batchBytes()) {
                break;
            }
            parts.add(bytes);
            count++;
        }
        long end =
                count < backlog.events().size()
                        ? backlog.events().get(count - 1).sequence()
                        : backlog.position();
        ByteBuffer bytes = parts.size() == 1 ? parts.getFirst() : form.join(parts);
        return new Batch(bytes, end, count, gap);
    }
}
