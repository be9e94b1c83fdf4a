package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

/**
 * A place in the tree: a flow, or a group of them. Of the rate loop's thread.
 *
 * <pre>
 *            wants, bucket short              bucket has enough
 *   IDLE ------------------------> TIMED ----------------------> READY --+
 *     |   wants, bucket has enough                                 ^     |  served; wants no more
 *     +------------------------------------------------------------+     |
 *     ^------------------------------------------------------------------+  (or short again: TIMED)
 * </pre>
 *
 * <p>TIMED nodes stand in the wheel, READY ones in their parent's ring, by links of their own: no
 * object is made when a node moves.
 */
abstract sealed class Node permits Flow, Group, Wheel.Slot {
    enum State {
        IDLE,
        TIMED,
        READY
    }

    /** How finely bytes are counted that are divided by a weight. */
    static final long SHARE = 1000;

    /** More is never waited for before something is sent. */
    static final long MOST_QUANTUM = 65_536;

    @Nullable Group parent;
    @Nullable Bucket bucket;
    State state = State.IDLE;

    /** Where it stands: in a slot of the wheel or in its parent's ring. */
    Node next = this;

    Node previous = this;

    /** Nanoseconds of the clock at which a TIMED node is looked at again. */
    long due;

    /** What it has had in its group: bytes, divided by its weight. */
    long had;

    /** Whether it has not had anything in its group. */
    boolean isNew = true;

    int weight = 1;

    /** Returns what has to be available before it is worth a look. */
    abstract long need();

    /** Returns whether it has something to send. */
    boolean isActive() {
        return false;
    }

    /** Returns whether it has to wait for its own bucket. */
    boolean isShort() {
        return available() < need();
    }

    final long quantum() {
        Bucket own = bucket;
        return own == null ? MOST_QUANTUM : Math.min(MOST_QUANTUM, own.limit().burstBytes());
    }

    final void refill(long now) {
        Bucket own = bucket;
        if (own != null) {
            own.refill(now);
        }
    }

    final long available() {
        Bucket own = bucket;
        return own == null ? Long.MAX_VALUE : own.available();
    }

    final void unlink() {
        next.previous = previous;
        previous.next = next;
        next = this;
        previous = this;
    }

    final void linkBefore(Node other) {
        next = other;
        previous = other.previous;
        other.previous.next = this;
        other.previous = this;
    }
}
