package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerWeight;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Picks among connections of which some have a weight of their own: the one that has the fewest
 * requests for its capacity and weight. Of equals, such as those that have none, each gets its
 * turns by its weight (stride scheduling). One that gets nothing for a while, drained or left out,
 * does not make up for it. Made anew when a connection comes or goes. Thread-safe.
 */
final class Weighing {
    private static final long STRIDE = 1L << 40;

    /** Turns pass the largest number some day; from here they do so in tests too. */
    private static final long BEGIN = Long.MAX_VALUE - STRIDE / 200;

    private final Map<PeerConnection, AtomicLong> turns;

    /** The turn up to which all have had theirs, but for those that get nothing. */
    private final AtomicLong reached;

    private Weighing(Map<PeerConnection, AtomicLong> turns, AtomicLong reached) {
        this.turns = turns;
        this.reached = reached;
    }

    /** What picks among some; null when they have no weights of their own. */
    static @Nullable Weighing of(PeerConnection[] all, @Nullable Weighing before) {
        boolean weighted = false;
        for (PeerConnection one : all) {
            weighted |= one.weight().value() != PeerWeight.USUAL;
        }
        if (!weighted) {
            return null;
        }
        AtomicLong reached = before == null ? new AtomicLong(BEGIN) : before.reached;
        Map<PeerConnection, AtomicLong> turns = new HashMap<>();
        for (PeerConnection one : all) {
            AtomicLong known = before == null ? null : before.turns.get(one);
            // A newcomer has missed no turns.
            turns.put(one, known == null ? new AtomicLong(reached.get()) : known);
        }
        return new Weighing(turns, reached);
    }

    /**
     * Picks one.
     *
     * @param now all of them
     * @param fits whether it may have the request
     * @param served whether it gets requests at all
     */
    @Nullable PeerConnection best(
            PeerConnection[] now,
            Predicate<PeerConnection> fits,
            Predicate<PeerConnection> served) {
        PeerConnection best = null;
        PeerConnection last = null;
        for (PeerConnection one : now) {
            if (served.test(one) && (last == null || turn(one) - turn(last) < 0)) {
                last = one;
            }
            if (one.free() > 0 && fits.test(one) && (best == null || isBefore(one, best))) {
                best = one;
            }
        }
        if (last != null) {
            reached.accumulateAndGet(turn(last), Weighing::later);
        }
        AtomicLong turn = best == null ? null : turns.get(best);
        // With the weight 0 it serves those that come back to it, and that is no turn.
        if (best != null && turn != null && best.weight().value() > 0) {
            long stride = STRIDE / share(best);
            turn.updateAndGet(old -> later(old, reached.get()) + stride);
        }
        return best;
    }

    private boolean isBefore(PeerConnection one, PeerConnection other) {
        long mine = busy(one) * share(other);
        long its = busy(other) * share(one);
        return mine == its ? turn(one) - turn(other) < 0 : mine < its;
    }

    private long turn(PeerConnection one) {
        AtomicLong turn = turns.get(one);
        return turn == null ? reached.get() : turn.get();
    }

    /** By their difference, which holds behind the largest number too. */
    private static long later(long one, long other) {
        return one - other < 0 ? other : one;
    }

    private static long busy(PeerConnection one) {
        return Math.max(0, one.capacity() - one.free());
    }

    /**
     * Among those that a client may come back to, one with the weight 0 is as good as the least.
     */
    private static long share(PeerConnection one) {
        return (long) Math.max(1, one.weight().value()) * Math.max(1, one.capacity());
    }
}
