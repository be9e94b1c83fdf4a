package org.lrwp.sdk;

import java.time.Duration;

/**
 * How long a peer's doings may take. Every time is above zero and at most a day.
 *
 * @param connect the opening of a connection; default 5 s, after it the connection counts as lost
 * @param registration each word of the proxy during registration; default 10 s, after it the
 *     connection counts as lost
 * @param stall a silence of the proxy within a request of LRWP 1 and 2, and a write that it does
 *     not take; default 60 s, after it the connection counts as lost. An idle connection waits for
 *     ever
 * @param firstRetry the longest wait before the first retry; default 100 ms. Each further one
 *     doubles it, and half of it is left to chance
 * @param longestRetry the longest wait before any retry; default 10 s
 * @param lookup how often a proxy's name is looked up while nothing is lost; default 30 s
 */
public record PeerTimes(
        Duration connect,
        Duration registration,
        Duration stall,
        Duration firstRetry,
        Duration longestRetry,
        Duration lookup) {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final PeerTimes DEFAULTS =
            new PeerTimes(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30));

    /** Checks all times. */
    public PeerTimes {
        check("connect", connect);
        check("registration", registration);
        check("stall", stall);
        check("firstRetry", firstRetry);
        check("longestRetry", longestRetry);
        check("lookup", lookup);
        if (firstRetry.compareTo(longestRetry) > 0) {
            throw new IllegalArgumentException(
                    "firstRetry " + firstRetry + " is above longestRetry " + longestRetry);
        }
    }

    private static void check(String name, Duration time) {
        if (time.toMillis() < 1 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " " + time + " is not within 1 ms to 1 day");
        }
    }

    /**
     * Returns the times that hold when nothing else is said.
     *
     * @return the defaults above
     */
    public static PeerTimes defaults() {
        return DEFAULTS;
    }

    /**
     * Returns these times with other waits before retries.
     *
     * @param first the longest wait before the first retry
     * @param longest the longest wait before any retry, at least {@code first}
     * @return new times
     */
    public PeerTimes withRetry(Duration first, Duration longest) {
        return new PeerTimes(connect, registration, stall, first, longest, lookup);
    }

    /**
     * Returns these times with other limits for a proxy that keeps the peer waiting.
     *
     * @param connecting the opening of a connection
     * @param registering each word of the proxy during registration
     * @param stalling a silence within a request
     * @return new times
     */
    public PeerTimes withWaits(Duration connecting, Duration registering, Duration stalling) {
        return new PeerTimes(connecting, registering, stalling, firstRetry, longestRetry, lookup);
    }

    /**
     * Returns these times with another interval between look-ups.
     *
     * @param interval how often a proxy's name is looked up while nothing is lost
     * @return new times
     */
    public PeerTimes withLookup(Duration interval) {
        return new PeerTimes(connect, registration, stall, firstRetry, longestRetry, interval);
    }
}
