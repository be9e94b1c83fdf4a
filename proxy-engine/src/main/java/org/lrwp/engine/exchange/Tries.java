package org.lrwp.engine.exchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The tries of one request: since when it waits, how often it may have been started, how often it
 * has moved, and who refused it. Changed under the exchange's lock; the public views may be asked
 * by any thread.
 */
public final class Tries {
    /** How often an idempotent request may be started. */
    static final int MOST_STARTS = 2;

    private static final int MOST_MOVES = 5;

    private final long queueNanos;
    private volatile long since;
    private int starts;
    private int moves;
    private volatile List<Object> refusals = List.of();

    Tries(long now, Duration queueTime) {
        since = now;
        queueNanos = queueTime.toNanos();
    }

    /** The first wait for a slot begins. */
    void waitsSince(long now) {
        since = now;
    }

    /** Books a try that ended without an answer. */
    void ended(Progress progress) {
        if (progress.compareTo(Progress.MAY_HAVE_STARTED) >= 0) {
            starts++;
        }
    }

    int starts() {
        return starts;
    }

    /** Books one more move; false when there have been too many. */
    boolean move() {
        if (moves == MOST_MOVES) {
            return false;
        }
        moves++;
        return true;
    }

    int moves() {
        return moves;
    }

    void refusedBy(Object connection) {
        List<Object> more = new ArrayList<>(refusals);
        more.add(connection);
        refusals = List.copyOf(more);
    }

    /**
     * Returns the moment from which on the request waits; a move does not change it.
     *
     * @return in nanoseconds of the engine's clock
     */
    public long sinceNanos() {
        return since;
    }

    /**
     * Returns the moment up to which the request may wait.
     *
     * @return in nanoseconds of the engine's clock
     */
    public long deadlineNanos() {
        return since + queueNanos;
    }

    /**
     * Says whether any peer has refused the request.
     *
     * @return true after the first refusal
     */
    public boolean isRefused() {
        return !refusals.isEmpty();
    }

    /**
     * Says whether a connection must not get the request again.
     *
     * @param connection see {@link Slot#connection()}
     * @return whether its peer has refused the request
     */
    public boolean isRefusedBy(Object connection) {
        // Connections are equal to themselves only.
        return refusals.contains(connection);
    }
}
