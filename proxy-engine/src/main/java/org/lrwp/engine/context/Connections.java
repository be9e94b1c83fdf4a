package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.protocol.UpgradeNames;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The connections that serve one context, and the policy that picks one: {@code least-loaded}, the
 * largest free share, ties to the one that was not picked for the longest time. One whose loop is
 * the calling thread goes first while it has half of the largest share: it costs no hand-off.
 *
 * <p>Readers take a snapshot and need no lock; {@link #add} and {@link #remove} are called under
 * the context's lock.
 */
final class Connections {
    private static final PeerConnection[] NONE = {};
    private static final int MOST_LOOKS = 8;

    private final AtomicInteger turn = new AtomicInteger();
    private final PeerHealth health;
    private final Predicate<PeerConnection> healthy;
    private volatile PeerConnection[] connections = NONE;
    private volatile int streaming;
    private volatile @Nullable Weighing weighing;
    private volatile @Nullable StickyPeers sticky;

    Connections(PeerHealth health) {
        this.health = health;
        this.healthy = one -> health.takes(one) && takesNew(one);
    }

    void add(PeerConnection connection) {
        PeerConnection[] old = connections;
        PeerConnection[] more = new PeerConnection[old.length + 1];
        System.arraycopy(old, 0, more, 0, old.length);
        more[old.length] = connection;
        changed(more);
    }

    /** Removes a connection; false when it was not there. */
    @SuppressWarnings("ReferenceEquality") // Two connections are never equal.
    boolean remove(PeerConnection connection) {
        PeerConnection[] old = connections;
        for (int i = 0; i < old.length; i++) {
            if (old[i] == connection) {
                PeerConnection[] fewer = new PeerConnection[old.length - 1];
                System.arraycopy(old, 0, fewer, 0, i);
                System.arraycopy(old, i + 1, fewer, i, fewer.length - i);
                changed(fewer);
                return true;
            }
        }
        return false;
    }

    private void changed(PeerConnection[] now) {
        connections = now;
        lookAgain();
    }

    /** Has clients come back to the process that has answered them; null for any. */
    void stick(@Nullable StickyPeers peers) {
        sticky = peers;
        lookAgain();
    }

    @Nullable StickyPeers sticky() {
        return sticky;
    }

    /** What connections can do, or say of themselves, has changed. */
    void lookAgain() {
        countStreaming();
        weighing = Weighing.of(connections, weighing);
        health.serving(connections);
        StickyPeers peers = sticky;
        if (peers != null) {
            peers.serving(connections);
        }
    }

    private void countStreaming() {
        int count = 0;
        for (PeerConnection one : connections) {
            count += one.isStreaming() ? 1 : 0;
        }
        streaming = count;
    }

    boolean isEmpty() {
        return connections.length == 0;
    }

    PeerConnection[] snapshot() {
        return connections;
    }

    /** Slots that are free. */
    int free() {
        int free = 0;
        for (PeerConnection one : connections) {
            free += healthy.test(one) ? one.free() : 0;
        }
        return free;
    }

    /** Whether a connection may have an exchange now. */
    boolean fits(Exchange exchange, PeerConnection connection) {
        return couldHave(exchange, connection)
                && (isBound(exchange)
                        ? connection.instance().equals(exchange.tries().home())
                        : takesNew(connection))
                && (!exchange.tries().isStartedAt(connection.instance()) || mayReturn(exchange));
    }

    /** Whether a connection gets requests of clients that have no process to come back to. */
    private boolean takesNew(PeerConnection connection) {
        return weighing == null || connection.weight().value() > 0;
    }

    /** Whether only the process that its client comes back to may have an exchange. */
    boolean isBound(Exchange exchange) {
        Object home = exchange.tries().home();
        StickyPeers peers = sticky;
        return home != null && peers != null && peers.isHere(home);
    }

    /** Whether a connection may have an exchange sooner or later. */
    private static boolean couldHave(Exchange exchange, PeerConnection connection) {
        return !exchange.tries().isRefusedBy(connection)
                && (!exchange.tries().isUpgrade()
                        || connection.takesUpgrade(exchange.request().upgrades()));
    }

    /** Whether the process that may have started an exchange gets it again: no other can. */
    private boolean mayReturn(Exchange exchange) {
        if (!exchange.tries().mayReturn()) {
            return false;
        }
        for (PeerConnection one : connections) {
            if (couldHave(exchange, one)
                    && !exchange.tries().isStartedAt(one.instance())
                    && !health.isOut(one.instance())) {
                return false;
            }
        }
        return true;
    }

    /** Whether only some connections may have an exchange, for now or for ever. */
    static boolean isChoosy(Exchange exchange) {
        return isExclusive(exchange)
                || exchange.tries().isStarted()
                || exchange.tries().home() != null;
    }

    /** Whether there are connections that may never have an exchange. */
    static boolean isExclusive(Exchange exchange) {
        return exchange.tries().isRefused() || exchange.tries().isUpgrade();
    }

    /** Whether there is one that takes what a client offers. */
    boolean hasOneThatTakes(UpgradeNames offer) {
        for (PeerConnection one : connections) {
            if (one.takesUpgrade(offer)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is one that may have an exchange sooner or later. */
    boolean hasOneFor(Exchange exchange) {
        for (PeerConnection one : connections) {
            if (couldHave(exchange, one)) {
                return true;
            }
        }
        return false;
    }

    /** Claims a slot of the connection with the largest free share; null when none is free. */
    @Nullable PeerSlot claim() {
        return claim(healthy);
    }

    /** Claims a slot for one exchange, of a connection that may have it. */
    @Nullable PeerSlot claimFor(Exchange exchange) {
        return isChoosy(exchange)
                ? claim(one -> health.takes(one) && fits(exchange, one))
                : claim();
    }

    /** The same, of a connection that wants bodies as they come. */
    @Nullable PeerSlot claimStreaming(Exchange exchange) {
        if (streaming == 0) {
            return null;
        }
        return claim(one -> one.isStreaming() && health.takes(one) && fits(exchange, one));
    }

    private @Nullable PeerSlot claim(Predicate<PeerConnection> fits) {
        while (true) {
            PeerConnection[] now = connections;
            Weighing weights = weighing;
            PeerConnection best =
                    weights == null ? best(now, fits) : weights.best(now, fits, healthy);
            if (best == null) {
                return null;
            }
            PeerSlot slot = best.claim();
            if (slot != null) {
                return slot;
            }
            // Somebody was faster: look again.
        }
    }

    private @Nullable PeerConnection best(PeerConnection[] now, Predicate<PeerConnection> fits) {
        // Starting behind the one picked last makes equal connections take turns.
        int start = now.length == 0 ? 0 : Math.floorMod(turn.get(), now.length);
        PeerConnection best = null;
        PeerConnection here = null;
        int bestIndex = 0;
        int hereIndex = 0;
        int most = now.length;
        int local = 0;
        for (int i = 0; i < most; i++) {
            int index = start + i < now.length ? start + i : start + i - now.length;
            PeerConnection one = now[index];
            int free = one.free();
            if (free == 0 || !fits.test(one)) {
                continue;
            }
            boolean onLoop = one.isOnLoop();
            local += onLoop ? 1 : 0;
            if (onLoop && (here == null || isFreer(one, free, here))) {
                here = one;
                hereIndex = index;
            }
            if (best == null || isFreer(one, free, best)) {
                best = one;
                bestIndex = index;
            }
            if (free == one.capacity()) {
                // None is freer; one of this thread may follow, but not worth a long search.
                most = onLoop ? i : Math.min(most, i + 1 + MOST_LOOKS);
            }
        }
        if (here != null && best != null && hasHalf(here, best)) {
            if (local > 1) {
                // With one for each thread there are no turns, and threads share nothing.
                turn.set(hereIndex + 1);
            }
            return here;
        }
        if (best != null) {
            turn.set(bestIndex + 1);
        }
        return best;
    }

    /** Whether one has at least half of the free share of another. */
    private static boolean hasHalf(PeerConnection one, PeerConnection other) {
        return 2L * one.free() * other.capacity() >= (long) other.free() * one.capacity();
    }

    private static boolean isFreer(PeerConnection one, int free, PeerConnection other) {
        return (long) free * other.capacity() > (long) other.free() * one.capacity();
    }
}
