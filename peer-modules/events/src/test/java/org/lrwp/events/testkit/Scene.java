package org.lrwp.events.testkit;

import org.lrwp.events.channel.Channels;
import org.lrwp.events.channel.Draft;
import org.lrwp.events.channel.Epochs;
import org.lrwp.events.channel.Journal;
import org.lrwp.events.channel.Publication;
import org.lrwp.events.event.EventData;
import org.lrwp.events.event.EventId;
import org.lrwp.events.policy.EventsPolicy;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Channels on a clock that the test moves; epoch 7. */
public final class Scene {
    /** The epoch of all events. */
    public static final long EPOCH = 7;

    /** What is set. */
    public final EventsPolicy policy;

    /** The channels. */
    public final Channels channels;

    private long nanos = -5;

    /** Opens channels with settings. */
    public Scene(String... settings) {
        this(Journal.none(), settings);
    }

    /** Opens channels whose events are kept. */
    public Scene(Journal journal, String... settings) {
        policy = Settings.policy(settings);
        channels =
                new Channels(
                        policy::channels, this::now, Epochs.begin(new TreeMap<>(), EPOCH), journal);
    }

    /** The time, in nanoseconds. */
    public long now() {
        return nanos;
    }

    /** Lets time pass. */
    public void pass(Duration time) {
        nanos += time.toNanos();
    }

    /** Publishes a text to channels. */
    public Publication publish(String text, String... names) {
        return publish(text, "", names);
    }

    /** Publishes a text with a key. */
    public Publication publish(String text, String key, String[] names) {
        EventData data = new EventData(EventData.Kind.TEXT, text);
        return channels.publish(new Draft(List.of(names), data, key));
    }

    /** The name of an event of this epoch. */
    public static EventId id(long sequence) {
        return new EventId(EPOCH, sequence);
    }
}
