package org.lrwp.webapp.operations;

import org.jspecify.annotations.Nullable;

/**
 * What the requests of a context have come to since the start; all virtual hosts together.
 *
 * @param receivedBytes of request bodies
 * @param sentBytes of answer bodies
 * @param retries moves of requests to another connection
 * @param meanQueueMillis how long they waited for a peer, on average
 * @param meanPeerMillis how long they were with peers, on average
 * @param meanMillis how long they took, on average
 */
public record ContextTotals(
        long receivedBytes,
        long sentBytes,
        long retries,
        double meanQueueMillis,
        double meanPeerMillis,
        double meanMillis) {
    /** No request has come. */
    public static final ContextTotals NONE = new ContextTotals(0, 0, 0, 0, 0, 0);

    /** Adds up; may be called at any time by any thread. */
    @FunctionalInterface
    public interface View {
        /**
         * Adds up.
         *
         * @param context a context
         * @return its totals; null when it is counted together with others
         */
        @Nullable ContextTotals totals(String context);
    }
}
