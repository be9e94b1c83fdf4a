package org.lrwp.cachemap;

import java.time.Duration;

/**
 * What opening a file found.
 *
 * @param outcome what became of the file
 * @param reason one sentence: why it was made anew, or how the process before had left it
 * @param counts what was in it
 * @param time how long opening took
 */
public record RecoveryReport(Outcome outcome, String reason, Counts counts, Duration time) {
    /** What became of the file. */
    public enum Outcome {
        /** There was none. */
        CREATED,

        /** Its entries are there again. */
        REOPENED,

        /** It could not be used as it was: all its entries are gone. */
        RECREATED
    }

    /**
     * What was in a file.
     *
     * @param kept entries that are there again
     * @param expired entries whose time was over
     * @param dropped entries that were not whole
     * @param damaged stretches of bytes that were no entries at all
     * @param rebuilt segments in which a process had died, or whose head was damaged: all their
     *     values were compared with their checksums
     */
    public record Counts(long kept, long expired, long dropped, long damaged, long rebuilt) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(
                    kept + other.kept,
                    expired + other.expired,
                    dropped + other.dropped,
                    damaged + other.damaged,
                    rebuilt + other.rebuilt);
        }
    }
}
