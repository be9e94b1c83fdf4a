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
    /** A link of the peer. Any thread calls; nothing blocks. */
    interface Member {
        /** Lets the link end: at once when nothing is under way, else behind the answers. */
        void retire();

        /** Ends the link now, interrupting what is under way. */
        void abort();

        /** Closes the socket when a write has not returned for so long. */
        void cutIfStalled(long nanos);

        /** Closes the socket. */
        void cut();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean leaving;
    // Guarded by the lock.
    private final Set<Member> members = new HashSet<>();
    private final Map<String, Integer> registered = new HashMap<>();
    private int connections;

    /** Takes a link in; false when the peer is leaving. */
    boolean add(Member link) {
        lock.lock();
        try {
            return !isLeaving() && members.add(link);
        } finally {
            lock.unlock();
        }
    }

    /** Says that a link's thread has ended. */
    void remove(Member link) {
        lock.lock();
        try {
            members.remove(link);
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
        snapshot().forEach(Member::retire);
    }

    /** Interrupts what is under way. */
    void abort() {
        snapshot().forEach(Member::abort);
    }

    /** Closes the connections whose proxy has not taken what is being written for so long. */
    void cutStalled(Duration time) {
        snapshot().forEach(link -> link.cutIfStalled(time.toNanos()));
    }

    /** Closes what is still open. */
    void cut() {
        snapshot().forEach(Member::cut);
    }

    boolean isLeaving() {
        return leaving;
    }

    boolean awaitEnd(Duration time) throws InterruptedException {
        return await(time, set -> set.isLeaving() && set.members.isEmpty());
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

    private List<Member> snapshot() {
        lock.lock();
        try {
            return List.copyOf(members);
        } finally {
            lock.unlock();
        }
    }
}
