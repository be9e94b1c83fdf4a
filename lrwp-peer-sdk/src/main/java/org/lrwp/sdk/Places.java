package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many requests of LRWP 3 a peer answers at once, over all its connections. Each proxy is told
 * the whole number, as only one may have requests to give; what they send together beyond it waits
 * here and is not started. Thread-safe; nothing is called with the lock held.
 */
final class Places {
    private enum State {
        NEW,
        WAITING,
        HELD,
        FREE
    }

    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Set<Place> waiting = new LinkedHashSet<>();
    private int limit;
    private int held;

    Places(int limit) {
        this.limit = limit;
    }

    /** Returns the place of one request, which it does not hold yet. */
    Place place() {
        return new Place();
    }

    /** Sets the number; 0 refuses what waits and what comes. */
    void limit(int requests) {
        List<Place> refused = new ArrayList<>();
        List<Place> entering = new ArrayList<>();
        lock.lock();
        try {
            limit = requests;
            if (limit == 0) {
                refused.addAll(waiting);
                waiting.clear();
                refused.forEach(place -> place.state = State.FREE);
            }
            for (Place next = next(); next != null; next = next()) {
                entering.add(next);
            }
        } finally {
            lock.unlock();
        }
        refused.forEach(place -> place.refuse.run());
        entering.forEach(place -> place.enter.run());
    }

    /** Gives a free place to whoever waits longest; null when nobody gets one. With the lock. */
    private @Nullable Place next() {
        Iterator<Place> first = waiting.iterator();
        if (held >= limit || !first.hasNext()) {
            return null;
        }
        Place next = first.next();
        first.remove();
        next.state = State.HELD;
        held++;
        return next;
    }

    /** The place of one request. */
    final class Place {
        // Guarded by the lock.
        private State state = State.NEW;
        private Runnable enter = () -> {};
        private Runnable refuse = () -> {};

        /**
         * Asks for the place. Once.
         *
         * @param entering runs when the request may be started: now, or on another thread
         * @param refusing runs instead when the peer takes none
         */
        void take(Runnable entering, Runnable refusing) {
            boolean open;
            lock.lock();
            try {
                if (state != State.NEW) {
                    return;
                }
                open = limit > 0;
                if (open && held >= limit) {
                    enter = entering;
                    refuse = refusing;
                    state = State.WAITING;
                    waiting.add(this);
                    return;
                }
                state = open ? State.HELD : State.FREE;
                held += open ? 1 : 0;
            } finally {
                lock.unlock();
            }
            (open ? entering : refusing).run();
        }

        /** Gives it up, or what it has asked for. Any number of times. */
        void free() {
            Place next = null;
            lock.lock();
            try {
                if (state == State.HELD) {
                    held--;
                    next = next();
                }
                waiting.remove(this);
                state = State.FREE;
            } finally {
                lock.unlock();
            }
            if (next != null) {
                next.enter.run();
            }
        }
    }
}
