package org.lrwp.events;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.channel.Channel;
import org.lrwp.events.channel.Channels;
import org.lrwp.events.event.EventId;
import org.lrwp.events.event.Form;
import org.lrwp.events.event.Seen;
import org.lrwp.events.fanout.FanOut;
import org.lrwp.events.fanout.FanOutCounters;
import org.lrwp.events.fanout.Subscription;
import org.lrwp.events.policy.EventsPolicy;
import org.lrwp.protocol.HeaderField;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Makes subscriptions of requests. Thread-safe; never blocks. */
final class Subscribing {
    private static final List<HeaderField> HEADERS =
            List.of(
                    Answers.NO_STORE,
                    Answers.NO_SNIFF,
                    new HeaderField("Vary", "Accept"),
                    // nginx holds answers back otherwise.
                    new HeaderField("X-Accel-Buffering", "no"));

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");

    private final Channels channels;
    private final FanOut fanOut;
    private final FanOutCounters open;
    private final Counters counters;
    private final RandomGenerator random;
    private final Admissions admissions = new Admissions();

    Subscribing(
            Channels channels,
            FanOut fanOut,
            FanOutCounters open,
            Counters counters,
            RandomGenerator random) {
        this.channels = channels;
        this.fanOut = fanOut;
        this.open = open;
        this.counters = counters;
        this.random = random;
    }

    int clients() {
        return admissions.clients();
    }

    /**
     * Where a client begins.
     *
     * @param position its position
     * @param filter what it has already of what stands behind
     * @param asked the event that it named and nobody knows
     * @param fromOldest whether it wants all there is
     */
    private record Beginning(
            long position, @Nullable Seen filter, @Nullable EventId asked, boolean fromOldest) {}

    /** Lets an allowed client wait. */
    void subscribe(Call call) {
        if (!channels.allow(call.channels())) {
            call.answer(404, "there is no such channel");
            return;
        }
        Beginning beginning;
        long timeout;
        try {
            beginning = beginning(call);
            timeout = timeoutNanos(call);
        } catch (IllegalArgumentException e) {
            call.answer(400, String.valueOf(e.getMessage()));
            return;
        }
        EventsPolicy.Admission limits = call.policy().admission();
        String client = client(call, limits);
        switch (admissions.admit(client, limits)) {
            case CLIENT_HAS_ENOUGH -> sendAway(call, 429, "too many of you wait");
            case FULL -> sendAway(call, 503, "too many wait");
            case ADMITTED -> admitted(call, client, beginning, timeout);
        }
    }

    private void admitted(Call call, String client, Beginning beginning, long timeout) {
        List<Channel> entered = channels.enter(call.channels());
        if (entered == null) {
            admissions.dismiss(client);
            sendAway(call, 503, "there are too many channels");
            return;
        }
        if (!admit(entered, call.policy().admission().perChannel())) {
            channels.leave(entered);
            admissions.dismiss(client);
            sendAway(call, 503, "too many wait in this channel");
            return;
        }
        Form form = Form.accepted(call.header("Accept"));
        AtomicInteger count = form.isStream() ? open.streams : open.polls;
        count.incrementAndGet();
        fanOut.subscribe(
                new Subscription(
                        new Subscription.Start(
                                call.exchange(),
                                form,
                                entered,
                                headers(call),
                                beginning.position,
                                beginning.filter,
                                beginning.asked,
                                beginning.fromOldest,
                                timeout),
                        () -> {
                            count.decrementAndGet();
                            entered.forEach(Channel::dismiss);
                            channels.leave(entered);
                            admissions.dismiss(client);
                        }));
    }

    /** The usual ones are shared: thousands wait with them. */
    private static List<HeaderField> headers(Call call) {
        if (call.headers().isEmpty()) {
            return HEADERS;
        }
        List<HeaderField> headers = new ArrayList<>(HEADERS);
        headers.addAll(call.headers());
        return headers;
    }

    private static boolean admit(List<Channel> entered, int most) {
        for (int i = 0; i < entered.size(); i++) {
            if (!entered.get(i).admit(most)) {
                entered.subList(0, i).forEach(Channel::dismiss);
                return false;
            }
        }
        return true;
    }

    private void sendAway(Call call, int status, String text) {
        counters.full.increment();
        call.answerLater(status, text, fanOut.retrySeconds());
    }

    private static String client(Call call, EventsPolicy.Admission limits) {
        String header = limits.clientHeader().isEmpty() ? "" : call.header(limits.clientHeader());
        return header.isEmpty() ? String.valueOf(call.head().variable("REMOTE_ADDR")) : header;
    }

    /** A browser that comes again says where it is by its header; its URL is still the old one. */
    private Beginning beginning(Call call) {
        String resumed = call.header("Last-Event-ID");
        String since = resumed.isEmpty() ? call.query().value("since") : resumed;
        return switch (since) {
            case "", "latest" -> new Beginning(channels.head(), null, null, false);
            case "oldest" -> new Beginning(0, null, null, true);
            default -> behind(EventId.parse(since));
        };
    }

    private Beginning behind(EventId id) {
        Channels.Place place = channels.placeOf(id);
        return new Beginning(place.position(), place.filter(), place.known() ? null : id, false);
    }

    private long timeoutNanos(Call call) {
        EventsPolicy.Poll poll = call.policy().poll();
        String asked = call.query().value("timeout");
        if (asked.isEmpty()) {
            long jitter = poll.jitter().toNanos();
            return poll.time().toNanos() + random.nextLong(Math.max(1, jitter));
        }
        if (!SECONDS.matcher(asked).matches()) {
            throw new IllegalArgumentException("timeout is a number of seconds");
        }
        Duration most = poll.time().plus(poll.jitter());
        return Math.min(most.toNanos(), Long.parseLong(asked) * 1_000_000_000L);
    }
}
