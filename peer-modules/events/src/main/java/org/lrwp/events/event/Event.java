package org.lrwp.events.event;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * One event in one channel. What goes to clients is made when the first of them needs it, and then
 * shared: the bytes of an event exist once for each form, however many wait for it. Thread-safe.
 */
public final class Event {
    /** The objects of an event, about; its text is there once as such and once as it is sent. */
    private static final int OVERHEAD = 200;

    private final EventId id;
    private final String channel;
    private final EventData data;
    private final long bornNanos;
    private final Seen.@Nullable Part source;
    private final AtomicReferenceArray<@Nullable ByteBuffer> written =
            new AtomicReferenceArray<>(2 * Form.COUNT);

    /**
     * Makes an event.
     *
     * @param id its name
     * @param channel the channel it is in
     * @param data what it says
     * @param bornNanos when it was published, on the module's clock
     */
    public Event(EventId id, String channel, EventData data, long bornNanos) {
        this(id, channel, data, bornNanos, null);
    }

    /**
     * Makes an event of a cluster.
     *
     * @param id its name here
     * @param channel the channel it is in
     * @param data what it says
     * @param bornNanos when it came, on the module's clock
     * @param source its name at all nodes; null without a cluster
     */
    public Event(
            EventId id,
            String channel,
            EventData data,
            long bornNanos,
            Seen.@Nullable Part source) {
        this.source = source;
        this.id = id;
        this.channel = channel;
        this.data = data;
        this.bornNanos = bornNanos;
    }

    /**
     * Returns the name of the event.
     *
     * @return the same in all channels that it was published to
     */
    public EventId id() {
        return id;
    }

    /**
     * Returns its place among all events.
     *
     * @return from 1 on
     */
    public long sequence() {
        return id.sequence();
    }

    /**
     * Returns its channel.
     *
     * @return a name
     */
    public String channel() {
        return channel;
    }

    /**
     * Returns what it says.
     *
     * @return the data
     */
    public EventData data() {
        return data;
    }

    /**
     * Says when it was published.
     *
     * @return nanoseconds on the module's clock
     */
    public long bornNanos() {
        return bornNanos;
    }

    /**
     * Says whether a client has it already that comes from another node.
     *
     * @param seen what that client has
     * @return whether it has
     */
    public boolean isIn(Seen seen) {
        return source != null && seen.has(source);
    }

    /**
     * Returns the event for a client that comes from another node.
     *
     * @param seen what that client has; null for one that has nothing else
     * @return the event, with a name that says so
     */
    public Event with(@Nullable Seen seen) {
        return seen == null ? this : new Event(seen.in(id), channel, data, bornNanos, source);
    }

    /**
     * Returns the memory it is counted with.
     *
     * @return bytes, about
     */
    public int size() {
        return OVERHEAD + id.seen().length() + 2 * data.text().length();
    }

    /**
     * Returns the event as clients get it.
     *
     * @param form how it is written
     * @param named whether the channel is told, which those of several channels need
     * @return a buffer of its own over bytes that are shared and must not be changed
     */
    public ByteBuffer written(Form form, boolean named) {
        int index = 2 * form.number() + (named ? 1 : 0);
        ByteBuffer known = written.get(index);
        if (known == null) {
            // Two may make it at the same time; both make the same.
            known = form.write(this, named);
            written.set(index, known);
        }
        return known.duplicate();
    }
}
