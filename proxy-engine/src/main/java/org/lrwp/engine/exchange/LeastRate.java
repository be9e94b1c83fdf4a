package org.lrwp.engine.exchange;

import java.time.Duration;

/**
 * How fast the body of a request has to come at least, on average.
 *
 * @param bytesPerSecond the rate; 0 = any
 * @param grace how long a body may take whatever its rate
 */
public record LeastRate(long bytesPerSecond, Duration grace) {
    /** Any rate is enough. */
    public static final LeastRate NONE = new LeastRate(0, Duration.ZERO);

    private static final double NANOS = 1e9;

    /** Checks all values. */
    public LeastRate {
        if (bytesPerSecond < 0 || grace.isNegative()) {
            throw new IllegalArgumentException(bytesPerSecond + " bytes/s after " + grace);
        }
    }

    /**
     * Returns how long a body may take until its next byte.
     *
     * @param bytes that have come
     * @return nanoseconds since its begin; {@link Long#MAX_VALUE} for ever
     */
    long nanosFor(long bytes) {
        if (bytesPerSecond == 0) {
            return Long.MAX_VALUE;
        }
        return Math.max(grace.toNanos(), (long) (bytes * NANOS / bytesPerSecond));
    }
}
