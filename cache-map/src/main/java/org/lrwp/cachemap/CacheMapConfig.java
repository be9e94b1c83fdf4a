package org.lrwp.cachemap;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * What a cache map shall be. Immutable.
 *
 * @param file where it is, for example in {@code /dev/shm}; made when it is not there. Beside it
 *     stands {@code file.lock}
 * @param size bytes of the file, at least one segment and two pages; all of them are taken at once,
 *     so that a full disk shows at the start
 * @param segmentSize bytes of a segment, a power of two from 4 KiB to 64 MiB. A value may be
 *     somewhat smaller than half of it; two writers disturb each other only in the same segment
 * @param eviction who goes when there is no room
 * @param timeToLive how long an entry stays when its put does not say; zero for ever
 * @param verification when checksums are compared
 * @param clock tells the time of entries, also across restarts
 */
public record CacheMapConfig(
        Path file,
        long size,
        int segmentSize,
        Eviction eviction,
        Duration timeToLive,
        Verification verification,
        InstantSource clock) {
    /** The smallest segment, in bytes. */
    public static final int LEAST_SEGMENT = 4 << 10;

    /** The largest segment, in bytes. */
    public static final int MOST_SEGMENT = 64 << 20;

    private static final int USUAL_SEGMENT = 1 << 20;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException for a value outside its range
     */
    public CacheMapConfig {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(eviction, "eviction");
        Objects.requireNonNull(verification, "verification");
        Objects.requireNonNull(clock, "clock");
        if (segmentSize < LEAST_SEGMENT
                || segmentSize > MOST_SEGMENT
                || Integer.bitCount(segmentSize) != 1) {
            throw new IllegalArgumentException(
                    "segment size "
                            + segmentSize
                            + " is not a power of two from "
                            + LEAST_SEGMENT
                            + " to "
                            + MOST_SEGMENT);
        }
        if (size < segmentSize + 2L * Layout.PAGE) {
            throw new IllegalArgumentException(
                    "size "
                            + size
                            + " is less than one segment of "
                            + segmentSize
                            + " and two pages of "
                            + Layout.PAGE);
        }
        if ((size - 2L * Layout.PAGE) / segmentSize > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "size " + size + " has too many segments of " + segmentSize);
        }
        if (timeToLive.isNegative()) {
            throw new IllegalArgumentException("time to live " + timeToLive + " is negative");
        }
    }

    /**
     * Returns the usual configuration: entries that were read stay, values up to about half a
     * megabyte, no time limit.
     *
     * @param file where it is
     * @param size bytes, at least 4 KiB and two pages
     * @return the configuration
     */
    public static CacheMapConfig of(Path file, long size) {
        long room = Math.max(LEAST_SEGMENT, (size - 2L * Layout.PAGE) / 16);
        int segment = (int) Math.min(USUAL_SEGMENT, Long.highestOneBit(room));
        return new CacheMapConfig(
                file,
                size,
                segment,
                Eviction.REFERENCE_BIT,
                Duration.ZERO,
                Verification.FIRST_READ,
                InstantSource.system());
    }

    /**
     * Returns this configuration with segments that hold values of a size.
     *
     * @param bytes the largest value and its key, 1 to 30 MiB
     * @return a new configuration
     * @throws IllegalArgumentException when it does not fit
     */
    public CacheMapConfig withLargestValue(int bytes) {
        long segment = LEAST_SEGMENT;
        while (segment <= MOST_SEGMENT && Entry.largestValue((int) segment) < bytes) {
            segment *= 2;
        }
        if (bytes < 1 || segment > MOST_SEGMENT) {
            throw new IllegalArgumentException(
                    "value size "
                            + bytes
                            + " is not within 1 to "
                            + Entry.largestValue(MOST_SEGMENT));
        }
        return withSegmentSize((int) Math.max(segment, segmentSize));
    }

    /**
     * Returns this configuration with another segment size.
     *
     * @param bytes a power of two
     * @return a new configuration
     */
    public CacheMapConfig withSegmentSize(int bytes) {
        return new CacheMapConfig(file, size, bytes, eviction, timeToLive, verification, clock);
    }

    /**
     * Returns this configuration with another eviction.
     *
     * @param rule who goes
     * @return a new configuration
     */
    public CacheMapConfig withEviction(Eviction rule) {
        return new CacheMapConfig(file, size, segmentSize, rule, timeToLive, verification, clock);
    }

    /**
     * Returns this configuration with another time to live.
     *
     * @param time zero for ever
     * @return a new configuration
     */
    public CacheMapConfig withTimeToLive(Duration time) {
        return new CacheMapConfig(file, size, segmentSize, eviction, time, verification, clock);
    }

    /**
     * Returns this configuration with another verification.
     *
     * @param when checksums are compared
     * @return a new configuration
     */
    public CacheMapConfig withVerification(Verification when) {
        return new CacheMapConfig(file, size, segmentSize, eviction, timeToLive, when, clock);
    }

    /**
     * Returns this configuration with another clock.
     *
     * @param source tells the time
     * @return a new configuration
     */
    public CacheMapConfig withClock(InstantSource source) {
        return new CacheMapConfig(
                file, size, segmentSize, eviction, timeToLive, verification, source);
    }

    /** Returns the number of segments. */
    int segments() {
        return (int) ((size - 2L * Layout.PAGE) / segmentSize);
    }
}
