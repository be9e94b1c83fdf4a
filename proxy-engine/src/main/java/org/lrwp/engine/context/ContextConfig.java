package org.lrwp.engine.context;

import org.lrwp.engine.exchange.ExchangeConfig;
import org.lrwp.engine.peer.PeerConfig;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of one context.
 *
 * @param exchange limits of its requests
 * @param peer limits of its peers
 * @param queueLength requests that may wait for a peer; above it 503 at once; 0 = none may wait
 * @param grace how long the context stays known when its last peer has left; 0 = not at all
 * @param health when a peer that answers badly is left out
 * @param sticky whether clients come back to the process that has answered them
 * @param named whether configuration names it: then it stays known for ever
 */
public record ContextConfig(
        ExchangeConfig exchange,
        PeerConfig peer,
        int queueLength,
        Duration grace,
        HealthConfig health,
        StickyConfig sticky,
        boolean named) {
    /** Checks all values. */
    public ContextConfig {
        Objects.requireNonNull(exchange, "exchange");
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(health, "health");
        Objects.requireNonNull(sticky, "sticky");
        if (queueLength < 0 || grace.isNegative()) {
            throw new IllegalArgumentException(
                    "queueLength " + queueLength + ", grace " + grace + ": negative");
        }
    }

    /**
     * Creates limits of a context where any process gets any request.
     *
     * @param exchange limits of its requests
     * @param peer limits of its peers
     * @param queueLength requests that may wait for a peer
     * @param grace how long the context stays known when its last peer has left
     * @param health when a peer that answers badly is left out
     * @param named whether configuration names it
     */
    public ContextConfig(
            ExchangeConfig exchange,
            PeerConfig peer,
            int queueLength,
            Duration grace,
            HealthConfig health,
            boolean named) {
        this(exchange, peer, queueLength, grace, health, StickyConfig.OFF, named);
    }

    /**
     * Returns the same limits for a context that configuration does not name.
     *
     * @return limits of a context that is forgotten after the grace time
     */
    ContextConfig unnamed() {
        return new ContextConfig(exchange, peer, queueLength, grace, health, sticky, false);
    }

    /** The same limits for a context that configuration names. */
    ContextConfig asNamed() {
        return new ContextConfig(exchange, peer, queueLength, grace, health, sticky, true);
    }
}
