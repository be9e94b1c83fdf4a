package org.lrwp.engine.cache;

import org.lrwp.protocol.network.Network;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the response cache may do.
 *
 * @param named whether it stands in front of a context, by context as users write it
 * @param others whether it stands in front of all other contexts
 * @param file where answers are kept
 * @param size bytes of the file
 * @param largest bytes of one answer with its head; larger ones pass through
 * @param heuristic share of the time since an answer was changed for which it is fresh when it does
 *     not say; 0 for not at all
 * @param limits of requests that come at once
 * @param purgeNetworks where PURGE is allowed from without the token
 * @param purgeToken who sends it may purge from anywhere; empty for nobody
 */
public record CacheConfig(
        Map<String, Boolean> named,
        boolean others,
        Path file,
        long size,
        int largest,
        double heuristic,
        Limits limits,
        List<Network> purgeNetworks,
        String purgeToken) {
    /** Checks and copies. */
    public CacheConfig {
        named = Map.copyOf(named);
        purgeNetworks = List.copyOf(purgeNetworks);
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(purgeToken, "purgeToken");
        if (heuristic < 0 || heuristic > 1) {
            throw new IllegalArgumentException("heuristic " + heuristic);
        }
    }

    /**
     * Limits of requests that come at once.
     *
     * @param waiting clients that may wait for one answer under way; above it they are passed on
     * @param passTime how long requests pass at once whose answer could not be stored
     */
    public record Limits(int waiting, Duration passTime) {
        /** Checks the values. */
        public Limits {
            if (waiting < 0 || passTime.isNegative()) {
                throw new IllegalArgumentException("waiting " + waiting + ", time " + passTime);
            }
        }
    }

    /** Says whether the cache stands in front of a context. */
    boolean serves(String context) {
        return named.getOrDefault(context, others);
    }

    @Override
    public String toString() {
        return "CacheConfig[named="
                + named
                + ", others="
                + others
                + ", file="
                + file
                + ", size="
                + size
                + "]";
    }
}
