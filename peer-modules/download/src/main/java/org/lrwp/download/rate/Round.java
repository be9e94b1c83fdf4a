package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

/**
 * What goes round once among the members of a group: a burst of the bucket that is short, or what
 * the group itself gets of one. The turns of all are together that much, as far as that is
 * sensible: the more there are, the less each gets at a time and the sooner again.
 *
 * @param bytes how much goes round
 * @param least the least of a turn
 */
record Round(long bytes, long least) {
    /** What fits into one segment of TCP on an Ethernet. */
    static final long LEAST_TURN = 1448;

    private static final long MOST_TURN = 65_536;

    /** A fast bucket is not cut into more turns a second. */
    private static final long TURNS_A_SECOND = 10_000;

    /** Where nothing is short. */
    static final Round ALL = new Round(Long.MAX_VALUE, MOST_TURN);

    /** Returns what goes round behind this bucket. */
    Round within(@Nullable Bucket bucket) {
        if (bucket == null) {
            return this;
        }
        long own = Math.max(LEAST_TURN, bucket.limit().rate() / TURNS_A_SECOND);
        return new Round(Math.min(bytes, bucket.limit().burstBytes()), Math.min(least, own));
    }

    /** Returns what goes round in one of so many members. */
    Round among(int members) {
        return members == 1 ? this : new Round(bytes / members, least);
    }

    /** Returns the bytes of a turn of one of so many members. */
    long turn(int members) {
        return Math.max(least, Math.min(MOST_TURN, bytes / members));
    }
}
