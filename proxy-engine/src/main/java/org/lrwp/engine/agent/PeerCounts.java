package org.lrwp.engine.agent;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the registered connections: in all, by source, by identity. Thread-safe. */
final class PeerCounts {
    private final PeerLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> bySource = new ConcurrentHashMap<>();
    private final Map<String, Integer> byIdentity = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();

    PeerCounts(PeerLimits limits) {
        this.limits = limits;
    }

    /** The key of the limit that one more from a source would exceed; empty for none. */
    String exceeded(String source) {
        if (all.get() >= limits.connections()) {
            return "agent.max-peers";
        }
        return bySource.getOrDefault(source, 0) >= limits.perAddress()
                ? "agent.max-peers-per-address"
                : "";
    }

    /**
     * Counts one more; false when it is above a limit, and is not counted.
     *
     * @param most connections of that identity; 0 = no limit
     */
    boolean add(String source, String identity, int most) {
        lock.lock();
        try {
            boolean full = most > 0 && byIdentity.getOrDefault(identity, 0) >= most;
            if (full || !exceeded(source).isEmpty()) {
                return false;
            }
            all.incrementAndGet();
            bySource.merge(source, 1, Integer::sum);
            byIdentity.merge(identity, 1, Integer::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void remove(String source, String identity) {
        lock.lock();
        try {
            all.decrementAndGet();
            bySource.computeIfPresent(source, (key, count) -> count == 1 ? null : count - 1);
            byIdentity.computeIfPresent(identity, (key, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }
}
