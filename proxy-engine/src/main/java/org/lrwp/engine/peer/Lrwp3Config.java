package org.lrwp.engine.peer;

import org.lrwp.protocol.frame.ProxySettings;

import java.time.Duration;
import java.util.Objects;

/**
 * Limits of LRWP 3 connections.
 *
 * @param settings what peers are told first
 * @param perThread whether a peer is asked for one connection for each thread of the transport,
 *     instead of the settings' number: then each thread has one at hand for the requests it reads
 * @param greetingTime how long a peer may take to send its SETTINGS; then it gets an ERROR
 * @param maxCapacity requests at once that one connection gets at most, whatever its peer says
 * @param maxContexts contexts of one connection; more are refused
 */
public record Lrwp3Config(
        ProxySettings settings,
        boolean perThread,
        Duration greetingTime,
        int maxCapacity,
        int maxContexts) {
    /** Checks all values. */
    public Lrwp3Config {
        Objects.requireNonNull(settings, "settings");
        if (greetingTime.isNegative() || greetingTime.isZero()) {
            throw new IllegalArgumentException("greetingTime " + greetingTime);
        }
        if (maxCapacity < 1 || maxContexts < 1) {
            throw new IllegalArgumentException(
                    "maxCapacity " + maxCapacity + ", maxContexts " + maxContexts);
        }
    }

    /**
     * Returns the limits of a connection on a transport.
     *
     * @param threads the transport's, at least 1
     * @return the same, but for the number of connections that its peer is asked for
     */
    public Lrwp3Config on(int threads) {
        return perThread
                ? new Lrwp3Config(
                        settings.withConnections(threads),
                        false,
                        greetingTime,
                        maxCapacity,
                        maxContexts)
                : this;
    }
}
