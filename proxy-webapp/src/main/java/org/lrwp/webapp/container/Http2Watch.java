package org.lrwp.webapp.container;

import org.lrwp.engine.time.NanoClock;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the connections of HTTP/2 share.
 *
 * @param mostResets streams that a client may reset within ten seconds; 0 = any number
 * @param stallTime how long a client may read nothing of what waits for it
 * @param headTime how long the head of a request may take, and the preface
 * @param headLimit the most bytes of a head
 * @param clock a monotonic clock
 * @param looks runs a check about once a second until it says false
 */
public record Http2Watch(
        int mostResets,
        Supplier<Duration> stallTime,
        Supplier<Duration> headTime,
        LongSupplier headLimit,
        NanoClock clock,
        Consumer<BooleanSupplier> looks) {
    /** Checks all values. */
    public Http2Watch {
        Objects.requireNonNull(stallTime, "stallTime");
        Objects.requireNonNull(headTime, "headTime");
        Objects.requireNonNull(headLimit, "headLimit");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(looks, "looks");
        if (mostResets < 0) {
            throw new IllegalArgumentException("mostResets " + mostResets);
        }
    }
}
