package org.lrwp.engine.exchange;

import java.time.Duration;
import java.util.Objects;

/**
 * Limits of the exchanges of one context.
 *
 * @param queueTime how long a request may wait for a peer, in all; then 503
 * @param maxBody bytes of a request body; above it 413
 * @param bodyTime how long a body may be silent; then 408
 * @param bodyRate how fast a body has to come; then 408
 * @param startBytes bytes of an answer that are collected before it starts to the client
 * @param startDelay how long after its head an answer starts to the client at the latest
 */
public record ExchangeConfig(
        Duration queueTime,
        long maxBody,
        Duration bodyTime,
        LeastRate bodyRate,
        int startBytes,
        Duration startDelay) {
    /** Checks all values. */
    public ExchangeConfig {
        requireNotNegative("queueTime", queueTime);
        requireNotNegative("bodyTime", bodyTime);
        Objects.requireNonNull(bodyRate, "bodyRate");
        requireNotNegative("startDelay", startDelay);
        if (maxBody < 0 || startBytes < 0) {
            throw new IllegalArgumentException(
                    "maxBody " + maxBody + ", startBytes " + startBytes + ": negative");
        }
    }

    private static void requireNotNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " " + value + " is negative");
        }
    }
}
