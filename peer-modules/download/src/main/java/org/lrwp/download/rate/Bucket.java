package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A token bucket in whole numbers: the level is counted in nano-bytes, so that no rounding loses or
 * makes credit, however often it is looked at. Of one thread.
 *
 * <p>Commands ({@code refill}, {@code take}, {@code giveBack}) change the level, queries ({@code
 * available}, {@code timeOf}) never do.
 *
 * <p>With a {@link Supply} nothing comes by time: the bucket asks for a burst when it holds less
 * than one, and has what is brought.
 */
final class Bucket {
    private static final long NANO = 1_000_000_000L;

    /** What is brought is told of at once; this is when it is asked for again if that failed. */
    private static final long LOOK_AGAIN = NANO;

    private Limit limit;
    private long capacity;
    private long level;
    private long at;
    private @Nullable Supply supply;
    private boolean isDrawing;

    /** Creates a bucket that holds so many bytes now. */
    Bucket(Limit limit, long bytes, long now) {
        this.limit = limit;
        this.capacity = capacityOf(limit);
        this.level = Math.min(capacity, bytes * NANO);
        this.at = now;
    }

    private static long capacityOf(Limit limit) {
        return Math.min(Limit.MOST_BUCKET, 2 * limit.burstBytes()) * NANO;
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
        if (supply != null) {
            return;
        }
        long missing = capacity - level;
        level = elapsed > missing / limit.rate() ? capacity : level + elapsed * limit.rate();
    }

    /** Returns the whole bytes that can be taken, as of the last refill. */
    long available() {
        return level / NANO;
    }

    /** Whether a new one would be the same; with a supply that is an empty one. */
    boolean isAsNew() {
        return level == (supply == null ? capacity : 0);
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
        if (supply != null && missing > 0) {
            return at + LOOK_AGAIN;
        }
        return missing <= 0 ? at : at + 1 + (missing - 1) / limit.rate();
    }

    /** Goes on with another limit; what is there stays, as far as the new one can hold it. */
    void change(Limit other, long now) {
        refill(now);
        limit = other;
        capacity = capacityOf(other);
        level = Math.min(level, capacity);
    }

    // ---- A supply in place of time.

    /**
     * Has the bucket filled by another supply, or by time again.
     *
     * @return whether that is another one than before
     */
    boolean supplyBy(@Nullable Supply other, long now) {
        if (Objects.equals(supply, other)) {
            return false;
        }
        refill(now);
        handBack();
        if (other != null) {
            // What time has brought until now is for this process alone.
            level = 0;
        }
        supply = other;
        isDrawing = false;
        return true;
    }

    /** Asks for a burst when it holds less, once at a time. */
    void draw(Group group) {
        Supply from = supply;
        if (from != null && !isDrawing && available() < limit.burstBytes()) {
            isDrawing = true;
            from.draw(group, limit.burstBytes());
        }
    }

    /**
     * Takes what a supply brings; what it cannot hold goes back.
     *
     * @return false when it has another supply by now, and takes nothing
     */
    boolean deposit(Supply from, long bytes) {
        if (!from.equals(supply)) {
            return false;
        }
        isDrawing = false;
        long room = (capacity - level) / NANO;
        giveBack(Math.min(bytes, room));
        if (bytes > room) {
            from.giveBack(bytes - room);
        }
        return true;
    }

    /** Asks that supply again when somebody looks. */
    void failed(Supply from) {
        if (from.equals(supply)) {
            isDrawing = false;
        }
    }

    /** Gives all that it holds back to its supply, if it has one. */
    void handBack() {
        Supply from = supply;
        if (from != null && available() > 0) {
            from.giveBack(available());
            level = 0;
        }
    }
}
