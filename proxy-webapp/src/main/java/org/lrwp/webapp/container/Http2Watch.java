package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.lrwp.engine.time.NanoClock;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What the connections of HTTP/2 share.
 *
 * @param mostResets streams that a client may reset within ten seconds; 0 = any number
 * @param clock a monotonic clock
 * @param looks runs a check about once a second until it says false
 */
public record Http2Watch(int mostResets, NanoClock clock, Consumer<BooleanSupplier> looks) {
    /** Checks all values. */
    public Http2Watch {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(looks, "looks");
        if (mostResets < 0) {
            throw new IllegalArgumentException("mostResets " + mostResets);
        }
    }

    /** The streams of a connection of HTTP/2; always the same. Any thread. */
    Http2Streams streams(Connection<?> connection) {
        return Http2Streams.of(connection, this);
    }
}
