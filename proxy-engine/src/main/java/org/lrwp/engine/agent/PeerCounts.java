package org.lrwp.engine.agent;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the registered connections: in all, by address, by identity. Thread-safe. */
final class PeerCounts {
    private final PeerLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
    private final Map<String, Integer> byIdentity = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();

    PeerCounts(PeerLimits limits) {
        this.limits = limits;
    }

    /** The key of the limit that one more from an address would exceed; empty for none. */
    String exceeded(InetAddress address) {
        if (all.get() >= limits.connections()) {
            return "agent.max-peers";
        }
        return byAddress.getOrDefault(address, 0) >= limits.perAddress()
                ? "agent.max-peers-per-address"
                : "";
    }

    /**
     * Counts one more; false when it is above a limit, and is not counted.
     *
     * @param most connections of that identity; 0 = no limit
     */
    boolean add(InetAddress address, String identity, int most) {
        lock.lock();
        try {
            boolean full = most > 0 && byIdentity.getOrDefault(identity, 0) >= most;
            if (full || !exceeded(address).isEmpty()) {
                return false;
            }
            all.incrementAndGet();
            byAddress.merge(address, 1, Integer::sum);
            byIdentity.merge(identity, 1, Integer::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void remove(InetAddress address, String identity) {
        lock.lock();
        try {
            all.decrementAndGet();
            byAddress.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
            byIdentity.computeIfPresent(identity, (key, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }
}
