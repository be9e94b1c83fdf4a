package org.lrwp.download.rate;

import java.time.Duration;

/**
 * How fast one node may send.
 *
 * @param rate bytes a second, up to {@link #MOST_RATE}; 0 for no limit
 * @param burst how much of the rate one wake-up sends, 10 ms to 10 s; a bucket holds twice as much,
 *     so that a late wake-up loses nothing
 */
public record Limit(long rate, Duration burst) {
    private static final Duration LEAST_BURST = Duration.ofMillis(10);
    private static final Duration MOST_BURST = Duration.ofSeconds(10);

    /** The most that a bucket can hold, in bytes. */
    static final long MOST_BUCKET = 1L << 32;

    /** The fastest rate that can be limited, in bytes a second. */
    public static final long MOST_RATE = 100_000_000_000L;

    /** The burst where none is named. */
    public static final Duration USUAL_BURST = Duration.ofMillis(250);

    /** No limit at all. */
    public static final Limit NONE = new Limit(0, USUAL_BURST);

    /** Checks the values. */
    public Limit {
        if (rate < 0 || rate > MOST_RATE) {
            throw new IllegalArgumentException("rate " + rate + " is not within 0 to " + MOST_RATE);
        }
        if (burst.compareTo(LEAST_BURST) < 0 || burst.compareTo(MOST_BURST) > 0) {
            throw new IllegalArgumentException("burst " + burst + " is not within 10 ms to 10 s");
        }
    }

    /**
     * Returns a limit with the usual burst.
     *
     * @param rate bytes a second, 0 for no limit
     * @return the limit
     */
    public static Limit of(long rate) {
        return new Limit(rate, USUAL_BURST);
    }

    /**
     * Says whether there is a limit.
     *
     * @return whether the rate is above 0
     */
    public boolean isLimited() {
        return rate > 0;
    }

    /**
     * Returns a part of this limit.
     *
     * @param share how many of the parts, 1 or more
     * @param all parts there are, at least as many
     * @return a limit of at least 1 byte a second; none when this is none
     */
    public Limit part(long share, long all) {
        return !isLimited() || share == all
                ? this
                : new Limit(Math.max(1, (long) (rate * ((double) share / all))), burst);
    }

    /**
     * Returns the bytes of one burst.
     *
     * @return 1 or more
     */
    public long burstBytes() {
        return Math.max(1, Math.min(MOST_BUCKET / 2, bytesIn(burst)));
    }

    /** Returns the bytes of a span; at most 10 s, so that nothing overflows. */
    long bytesIn(Duration span) {
        return rate * span.toMillis() / 1000;
    }
}
