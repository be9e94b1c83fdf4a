package org.lrwp.events.channel;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.event.Seen;
import org.lrwp.runtime.module.Neighbours.Origin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whose events stand where in the order of this node. Each node has the events of a cluster in the
 * order in which they came there; those of one origin are in the same order everywhere, so what a
 * client has seen is one number for each origin.
 *
 * <p>Thread-safe; the lock is held for a look at the last positions.
 */
final class Origins {
    private static final int MOST_STEPS = 100_000;
    private static final int MOST_ORIGINS = 32;

    /** One position: an event, or the end of a loss; and how far its origin was before. */
    private record Step(Seen.Part event, long before) {}

    /**
     * Where a client is.
     *
     * @param position it has all that stands up to here
     * @param filter tells what it has of what stands behind; null for nothing
     */
    record Place(long position, @Nullable Seen filter) {}

    private final Origin self;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private final Map<Origin, Long> heads = new LinkedHashMap<>();
    private final Map<Origin, Long> floor = new LinkedHashMap<>();
    private long base;
    private String text;

    Origins(Origin self) {
        this.self = self;
        heads.put(self, 0L);
        text = text(heads);
    }

    Origin self() {
        return self;
    }

    /**
     * The next position is that of an event, or of the last one of some that are lost.
     *
     * @return what a client has seen that is there
     */
    String add(Seen.Part event) {
        lock.lock();
        try {
            Long before = heads.remove(event.origin());
            steps.addLast(new Step(event, before == null ? 0 : before));
            heads.put(event.origin(), event.number());
            trim();
            text = text(heads);
            return text;
        } finally {
            lock.unlock();
        }
    }

    private void trim() {
        if (steps.size() > MOST_STEPS) {
            Step oldest = steps.removeFirst();
            floor.put(oldest.event().origin(), oldest.event().number());
            base++;
        }
        if (heads.size() > MOST_ORIGINS) {
            Iterator<Origin> oldest = heads.keySet().iterator();
            Origin first = oldest.next();
            Origin quiet = first.equals(self) ? oldest.next() : first;
            heads.remove(quiet);
            floor.remove(quiet);
        }
    }

    /** A node has published before this one was there, or this one in a run before. */
    void found(Seen.Part last) {
        lock.lock();
        try {
            heads.merge(last.origin(), last.number(), Math::max);
            if (last.number() > 0) {
                floor.putIfAbsent(last.origin(), last.number());
            }
            trim();
            text = text(heads);
        } finally {
            lock.unlock();
        }
    }

    /** What a client has seen that is at a position. */
    String seenAt(long position) {
        lock.lock();
        try {
            long at = base + steps.size();
            if (position >= at) {
                return text;
            }
            Map<Origin, Long> then = new LinkedHashMap<>(heads);
            Iterator<Step> latest = steps.descendingIterator();
            while (at > position && latest.hasNext()) {
                Step step = latest.next();
                then.put(step.event().origin(), step.before());
                at--;
            }
            return text(then);
        } finally {
            lock.unlock();
        }
    }

    /** Where a client is that was at another node; null when it may have missed something. */
    @Nullable Place find(Seen seen) {
        lock.lock();
        try {
            if (!isKnown(seen)) {
                return null;
            }
            long position = base;
            boolean all = true;
            boolean exact = isReached(seen);
            for (Step step : steps) {
                boolean has = seen.has(step.event());
                all &= has;
                position += all ? 1 : 0;
                exact &= all || !has;
            }
            return new Place(position, exact ? null : seen);
        } finally {
            lock.unlock();
        }
    }

    /** Of whom this node knows nothing it cannot say how much was published. */
    private boolean isKnown(Seen seen) {
        for (Seen.Part part : seen.parts()) {
            if (part.number() > 0 && !heads.containsKey(part.origin())) {
                return false;
            }
        }
        return floor.entrySet().stream()
                .allMatch(one -> seen.number(one.getKey()) >= one.getValue());
    }

    /** Whether all that it has is here already. */
    private boolean isReached(Seen seen) {
        return seen.parts().stream()
                .allMatch(part -> heads.getOrDefault(part.origin(), 0L) >= part.number());
    }

    private String text(Map<Origin, Long> numbers) {
        List<Seen.Part> parts = new ArrayList<>();
        parts.add(new Seen.Part(self, numbers.getOrDefault(self, 0L)));
        numbers.forEach(
                (origin, number) -> {
                    if (number > 0 && !origin.equals(self)) {
                        parts.add(new Seen.Part(origin, number));
                    }
                });
        return new Seen(parts).toString();
    }
}
