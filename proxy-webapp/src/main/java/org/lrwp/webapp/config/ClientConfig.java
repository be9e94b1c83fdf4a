package org.lrwp.webapp.config;

import java.time.Duration;
import java.util.Objects;

/**
 * What clients may do.
 *
 * @param halfClose whether a client that sends nothing more still wants its answer
 * @param headTime how long the head of a request may take
 * @param restTime how long the rest of a request may take that is dropped after its answer
 * @param resets streams of HTTP/2 that one connection may reset within ten seconds; 0 = any number
 * @param perAddress what one address may have open
 * @param proxyProtocol whether each connection begins with a PROXY header
 */
public record ClientConfig(
        boolean halfClose,
        Duration headTime,
        Duration restTime,
        int resets,
        AddressLimits perAddress,
        boolean proxyProtocol) {
    /** Checks all values. */
    public ClientConfig {
        Objects.requireNonNull(headTime, "headTime");
        Objects.requireNonNull(restTime, "restTime");
        Objects.requireNonNull(perAddress, "perAddress");
        if (headTime.isNegative() || headTime.isZero() || restTime.isNegative() || resets < 0) {
            throw new IllegalArgumentException(
                    "headTime " + headTime + ", restTime " + restTime + ", resets " + resets);
        }
    }
}
