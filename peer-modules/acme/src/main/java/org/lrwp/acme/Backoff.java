package org.lrwp.acme;

import java.time.Duration;

/**
 * How long to wait after failures: twice as long after each further one, up to a bound.
 *
 * @param first after the first failure
 * @param longest after any
 */
record Backoff(Duration first, Duration longest) {
    /** Far above all bounds that can be set, and far below what a duration can hold. */
    private static final int MOST_DOUBLINGS = 30;

    Backoff {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "retry-longest = "
                            + longest.toSeconds()
                            + "s is shorter than retry-delay = "
                            + first.toSeconds()
                            + "s");
        }
    }

    /**
     * Returns the wait after a failure.
     *
     * @param failures how many there were in a row, at least 1
     * @param asked the wait that the other side has asked for, zero for none
     */
    Duration after(int failures, Duration asked) {
        Duration doubled = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        Duration wanted = doubled.compareTo(asked) < 0 ? asked : doubled;
        return wanted.compareTo(longest) < 0 ? wanted : longest;
    }
}
