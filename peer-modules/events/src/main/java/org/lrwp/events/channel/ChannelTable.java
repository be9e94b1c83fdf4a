package org.lrwp.events.channel;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.event.Event;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Which channels there are, and how much they keep together. A channel is there while somebody is
 * in it, while it has events, and while it has to remember that it had some. Thread-safe; its lock
 * is held for steps in memory only.
 */
final class ChannelTable {
    private final Supplier<ChannelLimits> limits;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Channel> channels = new HashMap<>();
    private long bytes;
    private long forgotten;

    ChannelTable(Supplier<ChannelLimits> limits, LongSupplier clock) {
        this.limits = limits;
        this.clock = clock;
    }

    private Channel make(String name) {
        Channel made = new Channel(name, forgotten);
        made.enter(0, clock.getAsLong());
        return made;
    }

    void restore(Kept kept) {
        ChannelLimits now = limits.get();
        lock.lock();
        try {
            forgotten = kept.forgotten();
            kept.perChannel()
                    .forEach(
                            (name, position) ->
                                    channels.computeIfAbsent(name, this::make).restore(position));
            for (Event event : kept.events()) {
                add(channels.computeIfAbsent(event.channel(), this::make), event, now);
            }
            makeRoom(now);
        } finally {
            lock.unlock();
        }
    }

    /** Puts an event into each of its channels. */
    void add(List<Channel> found, List<Event> events) {
        ChannelLimits now = limits.get();
        lock.lock();
        try {
            for (int i = 0; i < events.size(); i++) {
                add(found.get(i), events.get(i), now);
            }
            makeRoom(now);
        } finally {
            lock.unlock();
        }
    }

    private void add(Channel channel, Event event, ChannelLimits now) {
        channel.add(event);
        bytes += event.size();
        while (channel.count() > 1
                && (channel.count() > now.events() || channel.bytes() > now.bytes())) {
            bytes -= channel.forgetOldest();
        }
    }

    /** The largest channels give way, a sixteenth at a time, so that this is rare. */
    private void makeRoom(ChannelLimits now) {
        if (bytes <= now.allBytes()) {
            return;
        }
        long goal = now.allBytes() - now.allBytes() / 16;
        List<Channel> largest = new ArrayList<>(channels.values());
        largest.sort(Comparator.comparingLong(Channel::bytes).reversed());
        for (Channel channel : largest) {
            long half = channel.bytes() / 2;
            while (bytes > goal && channel.count() > 1 && channel.bytes() > half) {
                bytes -= channel.forgetOldest();
            }
        }
    }

    /** The channels of these names; null when there may be no more of them. */
    @Nullable List<Channel> enter(List<String> names) {
        ChannelLimits now = limits.get();
        long nanos = clock.getAsLong();
        lock.lock();
        try {
            long missing = names.stream().filter(name -> !channels.containsKey(name)).count();
            if (now.fixed().isEmpty()
                    && missing > 0
                    && channels.size() + missing > now.channels()) {
                return null;
            }
            List<Channel> found = new ArrayList<>(names.size());
            for (String name : names) {
                Channel channel = channels.computeIfAbsent(name, this::make);
                channel.enter(1, nanos);
                found.add(channel);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** What was published up to a position is not all here; returns the channels. */
    List<Channel> lose(long position) {
        lock.lock();
        try {
            forgotten = Math.max(forgotten, position);
            channels.values().forEach(channel -> channel.restore(position));
            return List.copyOf(channels.values());
        } finally {
            lock.unlock();
        }
    }

    void leave(List<Channel> entered) {
        long nanos = clock.getAsLong();
        lock.lock();
        try {
            for (Channel channel : entered) {
                channel.enter(-1, nanos);
                boolean remembersNothing = channel.count() == 0 && channel.forgotten() <= forgotten;
                if (channel.holders() == 0 && remembersNothing) {
                    channels.remove(channel.name(), channel);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    void keepHouse() {
        ChannelLimits now = limits.get();
        long nanos = clock.getAsLong();
        lock.lock();
        try {
            for (Iterator<Channel> each = channels.values().iterator(); each.hasNext(); ) {
                Channel channel = each.next();
                while (!now.age().isZero() && channel.isOlder(nanos - now.age().toNanos())) {
                    bytes -= channel.forgetOldest();
                }
                boolean idle = nanos - channel.usedNanos() >= now.idle().toNanos();
                if (channel.holders() == 0 && idle) {
                    forgetAll(channel);
                    each.remove();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void forgetAll(Channel channel) {
        while (channel.count() > 0) {
            bytes -= channel.forgetOldest();
        }
        forgotten = Math.max(forgotten, channel.forgotten());
    }

    Kept kept() {
        lock.lock();
        try {
            List<Event> events = new ArrayList<>();
            Map<String, Long> perChannel = new HashMap<>();
            for (Channel channel : channels.values()) {
                events.addAll(channel.events());
                perChannel.put(channel.name(), channel.forgotten());
            }
            events.sort(Comparator.comparingLong(Event::sequence));
            return new Kept(events, forgotten, perChannel);
        } finally {
            lock.unlock();
        }
    }

    List<ChannelView> views(List<String> names) {
        lock.lock();
        try {
            return names.stream().map(this::view).toList();
        } finally {
            lock.unlock();
        }
    }

    private ChannelView view(String name) {
        Channel channel = channels.get(name);
        return channel == null
                ? new ChannelView(name, 0, 0)
                : new ChannelView(name, channel.waiters(), channel.count());
    }

    ChannelsAmount amount() {
        lock.lock();
        try {
            return new ChannelsAmount(channels.size(), bytes);
        } finally {
            lock.unlock();
        }
    }
}
