package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.peer.PeerConnection;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The requests of one context that wait for a slot: first in, first out, at most so many. Those
 * that come back from a peer go to the head, in the order in which they came, and are let in above
 * the limit. Each keeps the queue time that it came with, so after a change of it some may be late
 * before others that stand before them. Thread-safe.
 */
final class WaitingQueue {
    /** Told whether anything waits; takes no lock and does not block. */
    @FunctionalInterface
    interface Occupancy {
        void occupied(boolean now);
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Exchange> exchanges = new ArrayDeque<>();
    private final BiPredicate<Exchange, PeerConnection> fits;
    private volatile Occupancy occupancy = now -> {};
    private volatile int size;
    private volatile int limit;
    // Whether a request has less queue time than one before it. Most often none has, and whoever
    // looks for late ones need not look behind the first that is not.
    private boolean mixed;

    WaitingQueue(int limit, BiPredicate<Exchange, PeerConnection> fits) {
        this.limit = limit;
        this.fits = fits;
    }

    /** Sets who is told, under the queue's lock, when it is no longer empty, or empty again. */
    void whenOccupied(Occupancy listener) {
        occupancy = listener;
    }

    /** Under the lock, so that whoever is told is never behind. */
    private void resized() {
        boolean before = size > 0;
        size = exchanges.size();
        mixed &= size > 0;
        if (before != size > 0) {
            occupancy.occupied(size > 0);
        }
    }

    /** Changes how many may wait; those that do are left. */
    void limit(int next) {
        limit = next;
    }

    /** Adds at the end; false when the queue is full. */
    boolean offer(Exchange exchange) {
        lock.lock();
        try {
            if (exchanges.size() >= limit) {
                return false;
            }
            mixed |= hasLess(exchange, exchanges.peekLast());
            exchanges.addLast(exchange);
            resized();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Adds what comes back from a peer: behind those only that have waited longer. */
    void offerAgain(Exchange exchange) {
        lock.lock();
        try {
            Deque<Exchange> longer = new ArrayDeque<>();
            Exchange first = exchanges.peekFirst();
            while (first != null
                    && first.tries().sinceNanos() - exchange.tries().sinceNanos() < 0) {
                longer.push(exchanges.removeFirst());
                first = exchanges.peekFirst();
            }
            mixed |= hasLess(exchange, longer.peek()) || hasLess(first, exchange);
            exchanges.addFirst(exchange);
            longer.forEach(exchanges::addFirst);
            resized();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the first that a connection may have. */
    @Nullable Exchange poll(PeerConnection connection) {
        lock.lock();
        try {
            Exchange first = peek(connection);
            if (first != null) {
                exchanges.remove(first);
                resized();
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** The first that a connection may have. */
    @Nullable Exchange peek(PeerConnection connection) {
        return peek(exchange -> fits.test(exchange, connection));
    }

    /** The first of a kind. */
    @Nullable Exchange peek(Predicate<Exchange> kind) {
        lock.lock();
        try {
            for (Exchange exchange : exchanges) {
                if (kind.test(exchange)) {
                    return exchange;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Takes one out; false when it was not there. */
    boolean remove(Exchange exchange) {
        lock.lock();
        try {
            boolean there = exchanges.remove(exchange);
            resized();
            return there;
        } finally {
            lock.unlock();
        }
    }

    /** Those that only some connections may have. */
    List<Exchange> choosy() {
        lock.lock();
        try {
            return exchanges.stream().filter(Connections::isChoosy).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Takes out what has waited up to its deadline. */
    List<Exchange> pollLate(long now) {
        lock.lock();
        try {
            List<Exchange> late = new ArrayList<>();
            Exchange first = exchanges.peekFirst();
            while (first != null && isLate(first, now)) {
                late.add(exchanges.removeFirst());
                first = exchanges.peekFirst();
            }
            if (mixed) {
                exchanges.removeIf(one -> isLate(one, now) && late.add(one));
                mixed = isMixed();
            }
            resized();
            return late;
        } finally {
            lock.unlock();
        }
    }

    /** The one that is late next. */
    @Nullable Exchange peekUrgent() {
        lock.lock();
        try {
            Exchange urgent = exchanges.peekFirst();
            if (urgent != null && mixed) {
                for (Exchange one : exchanges) {
                    boolean sooner = isLate(one, urgent.tries().deadlineNanos());
                    urgent = sooner ? one : urgent;
                }
            }
            return urgent;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isLate(Exchange one, long now) {
        return one.tries().deadlineNanos() - now <= 0;
    }

    private boolean isMixed() {
        Exchange before = null;
        for (Exchange one : exchanges) {
            if (hasLess(one, before)) {
                return true;
            }
            before = one;
        }
        return false;
    }

    /** Whether one has less queue time than the one before it; false when one of them is none. */
    private static boolean hasLess(@Nullable Exchange one, @Nullable Exchange before) {
        return one != null && before != null && queueNanos(one) < queueNanos(before);
    }

    private static long queueNanos(Exchange one) {
        return one.tries().deadlineNanos() - one.tries().sinceNanos();
    }

    List<Exchange> pollAll() {
        lock.lock();
        try {
            List<Exchange> all = new ArrayList<>(exchanges);
            exchanges.clear();
            resized();
            return all;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return size;
    }
}
