package org.lrwp.engine.peer;

import java.time.Duration;

/**
 * The limits of the peers of one context.
 *
 * @param responseTime how long a peer that has the whole request may send no byte; then 504 and the
 *     connection is closed
 * @param sendTime how long a peer may take no byte of a request; then the connection is closed
 * @param lookBeforeSend whether an idle connection is looked at before a request is sent on it, so
 *     that a peer that has just left costs nothing
 * @param answerHead bytes of the head of an answer; above it 502
 * @param idleTime how long a tunnel may carry nothing in either direction before it is cut; 0 = for
 *     ever
 */
public record PeerConfig(
        Duration responseTime,
        Duration sendTime,
        boolean lookBeforeSend,
        int answerHead,
        Duration idleTime) {
    /** Checks all values. */
    public PeerConfig {
        if (responseTime.isNegative() || responseTime.isZero()) {
            throw new IllegalArgumentException("responseTime " + responseTime);
        }
        if (sendTime.isNegative() || sendTime.isZero()) {
            throw new IllegalArgumentException("sendTime " + sendTime);
        }
        if (idleTime.isNegative()) {
            throw new IllegalArgumentException("idleTime " + idleTime + " is negative");
        }
        if (answerHead < 1) {
            throw new IllegalArgumentException("answerHead " + answerHead + " is below 1");
        }
    }
}
