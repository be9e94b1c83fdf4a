package org.lrwp.engine.transport;

import java.util.Objects;

/**
 * A picture of a transport, for status pages.
 *
 * @param kind {@code own} selectors, or {@code container} and the name of its listener
 * @param reason why it is not the container's; empty when it is, or nobody asked for it
 * @param threads threads that handle its connections' events
 * @param listening whether all its listeners are open now
 * @param restarts how often its listeners came back after the container had closed them
 */
public record TransportStatus(
        String kind, String reason, int threads, boolean listening, long restarts) {
    /** Checks that nothing is missing. */
    public TransportStatus {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(reason, "reason");
    }
}
