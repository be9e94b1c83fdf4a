package org.lrwp.sdk;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * All links of a peer, and the one decision to leave. Thread-safe; nothing is called with the lock
 * held.
 */
final class LinkSet {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean leaving;
    // Guarded by the lock.
    private final Set<Dialer> dialers = new HashSet<>();
    private final Map<String, Integer> registered = new HashMap<>();
    private int connections;

    /** Takes a link in; false when the peer is leaving. */
    boolean add(Dialer dialer) {
        lock.lock();
        try {
            return !isLeaving() && dialers.add(dialer);
        } finally {
            lock.unlock();
        }
    }

    /** Says that a link's thread has ended. */
    void remove(Dialer dialer) {
        lock.lock();
        try {
            dialers.remove(dialer);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Counts a registered connection, or one less. */
    void connected(int difference) {
        lock.lock();
        try {
            connections += difference;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a connection that serves a context, or one less. */
    void count(String context, int difference) {
        lock.lock();
        try {
            registered.merge(context, difference, Integer::sum);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int registered() {
        lock.lock();
        try {
            return connections;
        } finally {
            lock.unlock();
        }
    }

    /** Tells every link, once, to leave. */
    void leave() {
        lock.lock();
        try {
            leaving = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        snapshot().forEach(Dialer::retire);
    }

    /** Interrupts what is under way. */
    void abort() {
        snapshot().forEach(Dialer::abort);
    }

    /** Closes the connections whose proxy has not taken what is being written for so long. */
    void cutStalled(Duration time) {
        snapshot().forEach(dialer -> dialer.cutIfStalled(time.toNanos()));
    }

    /** Closes what is still open. */
    void cut() {
        snapshot().forEach(Dialer::cut);
    }

    boolean isLeaving() {
        return leaving;
    }

    boolean awaitEnd(Duration time) throws InterruptedException {
        return await(time, set -> set.isLeaving() && set.dialers.isEmpty());
    }

    /** Waits until each of the contexts has a registered connection, or the peer has left. */
    boolean awaitRegistered(List<String> contexts, Duration time) throws InterruptedException {
        await(time, set -> set.isLeaving() || set.serves(contexts));
        lock.lock();
        try {
            return serves(contexts);
        } finally {
            lock.unlock();
        }
    }

    private boolean serves(List<String> contexts) {
        return contexts.stream().allMatch(context -> registered.getOrDefault(context, 0) > 0);
    }

    private boolean await(Duration time, Predicate<LinkSet> condition) throws InterruptedException {
        long nanos = time.toNanos();
        lock.lockInterruptibly();
        try {
            while (!condition.test(this)) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = changed.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private List<Dialer> snapshot() {
        lock.lock();
        try {
            return List.copyOf(dialers);
        } finally {
            lock.unlock();
        }
    }
}
