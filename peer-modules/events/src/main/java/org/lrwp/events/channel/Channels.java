package org.lrwp.events.channel;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.event.Event;
import org.lrwp.events.event.EventId;
import org.lrwp.events.event.Seen;
import org.lrwp.runtime.module.Neighbours.Origin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * All channels of a module, and the one order of their events.
 *
 * <p>Purpose: a position is one number that holds for all channels, so that a client of several
 * channels resumes with one identifier, and an event that is in several of them comes once. Design:
 * whoever publishes takes the next sequence, lets the journal keep the event, puts it in the rings
 * and then moves the head, all under the publishing lock. Who reads takes the head first and then
 * what the rings have up to it: no event behind the head is still on its way. The table lock is
 * held for steps in memory only, so nobody who waits for it waits for a disk. Thread-safe.
 */
public final class Channels {
    private final Supplier<ChannelLimits> limits;
    private final LongSupplier clock;
    private final Journal journal;
    private final Epochs epochs;
    private final ReentrantLock publishing = new ReentrantLock();
    private final ChannelTable table;
    private final IdempotencyKeys keys = new IdempotencyKeys();
    private final KeepFaults faults = new KeepFaults();
    private volatile @Nullable Origins origins;
    private volatile ToLongFunction<Draft> others = draft -> 0;
    private volatile long head;

    /**
     * Opens the channels.
     *
     * @param limits what they keep, now
     * @param clock nanoseconds
     * @param epochs the runs of the module
     * @param journal keeps what is published
     */
    public Channels(
            Supplier<ChannelLimits> limits, LongSupplier clock, Epochs epochs, Journal journal) {
        this.limits = limits;
        this.clock = clock;
        this.epochs = epochs;
        this.journal = journal;
        this.table = new ChannelTable(limits, clock);
    }

    /**
     * Puts back what a run before has kept; only before the first other call.
     *
     * @param kept everything
     * @param last the last sequence that was ever used
     */
    public void restore(Kept kept, long last) {
        table.restore(kept);
        head = last;
    }

    /**
     * Makes these the channels of one node of a cluster; only before the first other call.
     *
     * @param self this node
     */
    public void share(Origin self) {
        origins = new Origins(self);
    }

    /**
     * Has the other nodes hear what is published here; only before that begins.
     *
     * @param tell tells them of an event; returns its number
     */
    public void tell(ToLongFunction<Draft> tell) {
        others = tell;
    }

    // ---- Publishing.

    /**
     * Publishes an event. May block when there is a journal.
     *
     * @param draft the event
     * @return what has become of it
     */
    public Publication publish(Draft draft) {
        publishing.lock();
        try {
            ChannelLimits now = limits.get();
            IdempotencyKeys.Use use = keys.of(draft, clock.getAsLong(), now.keyTime());
            if (use != null) {
                return IdempotencyKeys.isSame(use, draft)
                        ? new Publication.Before(use.id())
                        : new Publication.KeyTaken();
            }
            if (!now.allow(draft.channels())) {
                return new Publication.NoChannel();
            }
            List<Channel> found = table.enter(draft.channels());
            if (found == null) {
                return new Publication.TooManyChannels();
            }
            try {
                return publish(draft, found, now.keys(), null);
            } finally {
                table.leave(found);
            }
        } finally {
            publishing.unlock();
        }
    }

    /** Gives an event its place; it comes from another node when it has its name already. */
    private Publication publish(
            Draft draft, List<Channel> found, int mostKeys, Seen.@Nullable Part heard) {
        long nanos = clock.getAsLong();
        Origins known = origins;
        Seen.Part source =
                heard != null || known == null
                        ? heard
                        : new Seen.Part(known.self(), others.applyAsLong(draft));
        EventId id = new EventId(epochs.current(), head + 1, place(source));
        List<Event> events =
                found.stream()
                        .map(channel -> new Event(id, channel.name(), draft.data(), nanos, source))
                        .toList();
        try {
            journal.keep(events);
        } catch (IOException e) {
            faults.tell(e, nanos);
            return new Publication.NotKept();
        }
        table.add(found, events);
        head = id.sequence();
        keys.add(draft, id, nanos, mostKeys);
        return new Publication.Done(id, found);
    }

    private String place(Seen.@Nullable Part source) {
        Origins known = origins;
        return known == null || source == null ? "" : known.add(source);
    }

    // ---- What other nodes publish.

    /**
     * Takes an event of another node.
     *
     * @param draft the event
     * @param source its name
     * @return the channels that have something new to tell
     */
    public List<Channel> hear(Draft draft, Seen.Part source) {
        publishing.lock();
        try {
            ChannelLimits now = limits.get();
            List<Channel> found =
                    now.allow(draft.channels()) ? table.enter(draft.channels()) : null;
            if (found == null) {
                return lose(source);
            }
            try {
                Publication _ = publish(draft, found, now.keys(), source);
                return found;
            } finally {
                table.leave(found);
            }
        } finally {
            publishing.unlock();
        }
    }

    /**
     * Events of another node are lost: those who wait are told of a gap.
     *
     * @param last the last one of them
     * @return the channels that have something new to tell
     */
    public List<Channel> miss(Seen.Part last) {
        publishing.lock();
        try {
            return lose(last);
        } finally {
            publishing.unlock();
        }
    }

    private List<Channel> lose(Seen.Part last) {
        String _ = place(last);
        long position = head + 1;
        List<Channel> all = table.lose(position);
        head = position;
        return all;
    }

    /**
     * Another node has published before this one was there, or this one in a run before.
     *
     * @param last the last event of that time
     */
    public void found(Seen.Part last) {
        Origins known = origins;
        if (known != null) {
            known.found(last);
        }
    }

    // ---- Waiting.

    /**
     * Enters channels: they stay while somebody is in them.
     *
     * @param names their names
     * @return the channels, in the order of their names; null when there may be no more of them.
     *     Whoever has got them gives them back with {@link #leave}
     */
    public @Nullable List<Channel> enter(List<String> names) {
        return table.enter(names);
    }

    /**
     * Leaves channels.
     *
     * @param entered what {@link #enter} gave
     */
    public void leave(List<Channel> entered) {
        table.leave(entered);
    }

    /**
     * Says whether there may be channels of these names.
     *
     * @param names their names
     * @return whether all of them may be
     */
    public boolean allow(List<String> names) {
        return limits.get().allow(names);
    }

    // ---- Reading.

    /**
     * Returns the position of the last event.
     *
     * @return its sequence; 0 before the first
     */
    public long head() {
        return head;
    }

    /**
     * Names a position.
     *
     * @param position a sequence
     * @param seen what the client has beside that; null for nothing
     * @return the identifier that a client shows to go on from there
     */
    public EventId idOf(long position, @Nullable Seen seen) {
        Origins known = origins;
        String here = known == null ? "" : known.seenAt(position);
        EventId id = new EventId(epochs.current(), position, here);
        return seen == null ? id : seen.in(id);
    }

    /**
     * Where a client begins.
     *
     * @param position its position
     * @param filter what it has already of what stands behind; null for nothing
     * @param known whether nothing is known to be missing before it
     */
    public record Place(long position, @Nullable Seen filter, boolean known) {}

    /**
     * Says where a client is that has seen an event, here or at another node.
     *
     * @param id the event
     * @return its place
     * @throws IllegalArgumentException when the event cannot be one
     */
    public Place placeOf(EventId id) {
        Origins shared = origins;
        Seen seen = shared == null || id.seen().isEmpty() ? null : Seen.parse(id.seen());
        boolean here = shared != null && seen != null && seen.writer().equals(shared.self());
        // What a run before has written has the positions of that run: it counts by names alone.
        if (shared == null || seen == null || (here && id.epoch() == epochs.current())) {
            OptionalLong position = epochs.position(id, head);
            long place = position.orElse(0);
            boolean has = shared != null && seen != null && !id.seen().equals(shared.seenAt(place));
            return new Place(place, has ? seen : null, position.isPresent());
        }
        Origins.Place found = shared.find(seen);
        return found == null
                ? new Place(0, seen, false)
                : new Place(found.position(), found.filter(), true);
    }

    /**
     * Returns what a client has yet to get.
     *
     * @param entered its channels
     * @param position where it is
     * @param most events at most, at least 1
     * @param seen what it has already; null for nothing
     * @return what is there; with a gap when some of it is gone
     */
    public Backlog read(List<Channel> entered, long position, int most, @Nullable Seen seen) {
        Backlog backlog = read(entered, position, most);
        while (seen != null) {
            backlog = backlog.without(seen);
            if (!backlog.isEmpty() || !backlog.more()) {
                break;
            }
            backlog = read(entered, backlog.position(), most);
        }
        return backlog;
    }

    private Backlog read(List<Channel> entered, long position, int most) {
        // First the head: the rings have everything up to it.
        long to = head;
        if (to <= position) {
            return new Backlog(List.of(), position, false, position, false);
        }
        List<Event> events = new ArrayList<>();
        boolean gap = false;
        for (Channel channel : entered) {
            gap |= channel.read(position, to, most, events) > position;
        }
        if (entered.size() > 1) {
            merge(events, most);
        }
        boolean more = events.size() >= most;
        long end = more ? events.getLast().sequence() : to;
        long from = events.isEmpty() ? end : events.getFirst().sequence() - 1;
        return new Backlog(events, end, gap, gap ? from : position, more);
    }

    /** One order, none twice, and only the first of them. */
    private static void merge(List<Event> events, int most) {
        events.sort(Comparator.comparingLong(Event::sequence));
        long last = -1;
        int kept = 0;
        for (Event event : events) {
            if (event.sequence() != last && kept < most) {
                events.set(kept++, event);
                last = event.sequence();
            }
        }
        events.subList(kept, events.size()).clear();
    }

    // ---- Keeping house.

    /** Forgets what is too old; now and then. */
    public void keepHouse() {
        table.keepHouse();
    }

    /**
     * Returns everything that is kept; called by whoever publishes.
     *
     * @return a copy
     */
    public Kept kept() {
        return table.kept();
    }

    /**
     * Returns channels as they are now.
     *
     * @param names of these; one that is not there has nothing
     * @return one for each name
     */
    public List<ChannelView> views(List<String> names) {
        return table.views(names);
    }

    /**
     * Says how much there is.
     *
     * @return of this moment
     */
    public ChannelsAmount amount() {
        return table.amount();
    }
}
