package org.lrwp.download.rate;

/**
 * A token bucket in whole numbers: the level is counted in nano-bytes, so that no rounding loses or
 * makes credit, however often it is looked at. Of one thread.
 *
 * <p>Commands ({@code refill}, {@code take}, {@code giveBack}) change the level, queries ({@code
 * available}, {@code timeOf}) never do.
 */
final class Bucket {
    /** The most that a bucket can hold, in bytes. */
    static final long MOST_BYTES = 1L << 32;

    private static final long NANO = 1_000_000_000L;

    private Limit limit;
    private long capacity;
    private long level;
    private long at;

    /** Creates a bucket that holds so many bytes now. */
    Bucket(Limit limit, long bytes, long now) {
        this.limit = limit;
        this.capacity = capacityOf(limit);
        this.level = Math.min(capacity, bytes * NANO);
        this.at = now;
    }

    private static long capacityOf(Limit limit) {
        return Math.min(MOST_BYTES, 2 * limit.burstBytes()) * NANO;
    }

    Limit limit() {
        return limit;
    }

    /** Adds what has come since the last call; time never goes back. */
    void refill(long now) {
        long elapsed = now - at;
        if (elapsed <= 0) {
            return;
        }
        at = now;
        long missing = capacity - level;
        level = elapsed > missing / limit.rate() ? capacity : level + elapsed * limit.rate();
    }

    /** Returns the whole bytes that can be taken, as of the last refill. */
    long available() {
        return level / NANO;
    }

    boolean isFull() {
        return level == capacity;
    }

    long capacityBytes() {
        return capacity / NANO;
    }

    /** Takes bytes that are available. */
    void take(long bytes) {
        if (bytes > available()) {
            throw new IllegalArgumentException(bytes + " of " + available() + " bytes");
        }
        level -= bytes * NANO;
    }

    /** Puts back bytes that were taken and not sent. */
    void giveBack(long bytes) {
        level = Math.min(capacity, level + bytes * NANO);
    }

    /** Returns when so many bytes will be available, as of the last refill; at most a full one. */
    long timeOf(long bytes) {
        long missing = Math.min(capacity, bytes * NANO) - level;
        return missing <= 0 ? at : at + 1 + (missing - 1) / limit.rate();
    }

    /** Goes on with another limit; what is there stays, as far as the new one can hold it. */
    void change(Limit other, long now) {
        refill(now);
        limit = other;
        capacity = capacityOf(other);
        level = Math.min(level, capacity);
    }
}
