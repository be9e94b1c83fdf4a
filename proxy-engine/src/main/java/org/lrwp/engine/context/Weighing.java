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
 * turns by its weight (stride scheduling). Made anew when a connection comes or goes. Thread-safe.
 */
final class Weighing {
    private static final long STRIDE = 1L << 40;

    private final Map<PeerConnection, AtomicLong> turns;

    private Weighing(Map<PeerConnection, AtomicLong> turns) {
        this.turns = turns;
    }

    /** What picks among some; null when they have no weights of their own. */
    static @Nullable Weighing of(PeerConnection[] all, @Nullable Weighing before) {
        boolean weighted = false;
        long least = Long.MAX_VALUE;
        for (PeerConnection one : all) {
            weighted |= one.weight().value() != PeerWeight.USUAL;
            AtomicLong known = before == null ? null : before.turns.get(one);
            least = known == null ? least : Math.min(least, known.get());
        }
        if (!weighted) {
            return null;
        }
        // A newcomer has missed no turns.
        long begin = least == Long.MAX_VALUE ? 0 : least;
        Map<PeerConnection, AtomicLong> turns = new HashMap<>();
        for (PeerConnection one : all) {
            AtomicLong known = before == null ? null : before.turns.get(one);
            turns.put(one, known == null ? new AtomicLong(begin) : known);
        }
        return new Weighing(turns);
    }

    @Nullable PeerConnection best(PeerConnection[] now, Predicate<PeerConnection> fits) {
        PeerConnection best = null;
        for (PeerConnection one : now) {
            if (one.free() > 0 && fits.test(one) && (best == null || isBefore(one, best))) {
                best = one;
            }
        }
        AtomicLong turn = best == null ? null : turns.get(best);
        if (best != null && turn != null) {
            turn.addAndGet(STRIDE / share(best));
        }
        return best;
    }

    private boolean isBefore(PeerConnection one, PeerConnection other) {
        long mine = busy(one) * share(other);
        long its = busy(other) * share(one);
        return mine == its ? turn(one) < turn(other) : mine < its;
    }

    private long turn(PeerConnection one) {
        AtomicLong turn = turns.get(one);
        return turn == null ? 0 : turn.get();
    }

    private static long busy(PeerConnection one) {
        return Math.max(0, one.capacity() - one.free());
    }

    /** Clients that come back to a process with the weight 0 get it as if it had the least. */
    private static long share(PeerConnection one) {
        return (long) Math.max(1, one.weight().value()) * Math.max(1, one.capacity());
    }
}
