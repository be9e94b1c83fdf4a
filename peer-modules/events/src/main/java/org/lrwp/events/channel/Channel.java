package org.lrwp.events.channel;

import org.lrwp.events.event.Event;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One channel: its ring, and how far it has forgotten. Any thread reads; only {@link Channels}
 * changes it, under its own lock.
 */
public final class Channel {
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Ring ring = new Ring();
    private long forgotten;
    private long bytes;
    // Under the lock of Channels.
    private int holders;
    private long usedNanos;
    private final AtomicInteger waiters = new AtomicInteger();

    Channel(String name, long forgotten) {
        this.name = name;
        this.forgotten = forgotten;
    }

    /**
     * Returns its name.
     *
     * @return as clients write it
     */
    public String name() {
        return name;
    }

    // ---- Under the lock of Channels.

    /** Who publishes to it or waits in it now. */
    int holders() {
        return holders;
    }

    void enter(int change, long nanos) {
        holders += change;
        usedNanos = nanos;
    }

    long usedNanos() {
        return usedNanos;
    }

    void add(Event event) {
        usedNanos = event.bornNanos();
        lock.lock();
        try {
            ring.add(event);
            bytes += event.size();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the oldest event; its size. */
    long forgetOldest() {
        lock.lock();
        try {
            Event oldest = ring.removeOldest();
            // It may have forgotten further than that before a restart.
            forgotten = Math.max(forgotten, oldest.sequence());
            bytes -= oldest.size();
            return oldest.size();
        } finally {
            lock.unlock();
        }
    }

    /** Starts with what it had forgotten before. */
    void restore(long position) {
        lock.lock();
        try {
            forgotten = Math.max(forgotten, position);
        } finally {
            lock.unlock();
        }
    }

    // ---- Any thread.

    /**
     * Returns how many clients wait in it.
     *
     * @return of this moment
     */
    public int waiters() {
        return waiters.get();
    }

    /**
     * Counts one more client, if that is allowed.
     *
     * @param most how many there may be
     * @return whether it is counted
     */
    public boolean admit(int most) {
        if (waiters.incrementAndGet() <= most) {
            return true;
        }
        waiters.decrementAndGet();
        return false;
    }

    /** Counts one client less. */
    public void dismiss() {
        waiters.decrementAndGet();
    }

    int count() {
        lock.lock();
        try {
            return ring.count();
        } finally {
            lock.unlock();
        }
    }

    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    long forgotten() {
        lock.lock();
        try {
            return forgotten;
        } finally {
            lock.unlock();
        }
    }

    /** Whether its oldest event is at least so old. */
    boolean isOlder(long bornBefore) {
        lock.lock();
        try {
            return ring.count() > 0 && ring.at(0).bornNanos() - bornBefore <= 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds events to a list.
     *
     * @param behind the position that they are behind
     * @param to the last position that counts
     * @param most how many at most
     * @param events gets them
     * @return how far the channel has forgotten
     */
    long read(long behind, long to, int most, List<Event> events) {
        lock.lock();
        try {
            int place = ring.placeBehind(behind);
            int end = (int) Math.min(ring.count(), (long) place + most);
            for (; place < end; place++) {
                Event event = ring.at(place);
                if (event.sequence() > to) {
                    break;
                }
                events.add(event);
            }
            return forgotten;
        } finally {
            lock.unlock();
        }
    }

    /** All events, for a file that is written anew. */
    List<Event> events() {
        List<Event> events = new ArrayList<>();
        long _ = read(0, Long.MAX_VALUE, Integer.MAX_VALUE, events);
        return events;
    }
}
