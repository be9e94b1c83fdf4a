package org.lrwp.engine.agent;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections of peers, in all and by address. Thread-safe. */
final class PeerCounts {
    private final AgentConfig config;
    private final AtomicInteger all = new AtomicInteger();
    private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    PeerCounts(AgentConfig config) {
        this.config = config;
    }

    /** Counts one more; false when it is above a limit (it is counted all the same). */
    boolean add(InetAddress address) {
        int mine = byAddress.merge(address, 1, Integer::sum);
        return all.incrementAndGet() <= config.maxPeers() && mine <= config.maxPeersPerAddress();
    }

    void remove(InetAddress address) {
        all.decrementAndGet();
        byAddress.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
    }

    /** How many there are above the limit; those are told so and closed. */
    int excess() {
        return all.get() - config.maxPeers();
    }
}
