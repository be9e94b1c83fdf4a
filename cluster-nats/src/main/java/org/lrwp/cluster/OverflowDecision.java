package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.peer.ServedContext;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;

/**
 * Decides which node gets a request that finds no free slot here. Without I/O and without a clock,
 * so that it can be simulated.
 *
 * <p>The rule: of two nodes with free slots that were heard lately, drawn by lot, the one with more
 * of them. With three nodes that is the one with most; with a hundred, all of which have heard the
 * same heartbeats, the one with most would get everything at once. A node's own word counts: its
 * heartbeat, and what it says with each answer and each BUSY. In between each request that goes
 * there takes one of its slots. A node without a slot is not asked again before its next word,
 * however many requests wait.
 *
 * <p>Thread-safe; the lock is held for a look at the nodes of one context.
 */
final class OverflowDecision {
    /** What is known of one context at one node. */
    private static final class Offer {
        private final int slots;
        private int free;
        private final long heard;

        Offer(int slots, int free, long heard) {
            this.slots = slots;
            this.free = free;
            this.heard = heard;
        }
    }

    private final long freshNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ServedContext, Map<String, Offer>> offers = new HashMap<>();
    private final List<Map.Entry<String, Offer>> candidates = new ArrayList<>();
    private final IntUnaryOperator random;

    /**
     * Creates a decision without a node.
     *
     * @param freshNanos how long the word of a node counts
     * @param random draws a number from 0 up to, but not, the given one
     */
    OverflowDecision(long freshNanos, IntUnaryOperator random) {
        this.freshNanos = freshNanos;
        this.random = random;
    }

    /** A node has said what it has; what it does not name it has no more. */
    void heard(Message.Heartbeat beat, long now) {
        lock.lock();
        try {
            forgetNode(beat.node());
            for (Message.Load load : beat.contexts()) {
                offers.computeIfAbsent(
                                new ServedContext(load.context(), load.virtualHost()),
                                any -> new HashMap<>())
                        .put(beat.node(), new Offer(load.slots(), load.free(), now));
            }
        } finally {
            lock.unlock();
        }
    }

    /** A node is no more. */
    void forget(String node) {
        lock.lock();
        try {
            forgetNode(node);
        } finally {
            lock.unlock();
        }
    }

    private void forgetNode(String node) {
        Iterator<Map<String, Offer>> each = offers.values().iterator();
        while (each.hasNext()) {
            Map<String, Offer> ofContext = each.next();
            ofContext.remove(node);
            if (ofContext.isEmpty()) {
                each.remove();
            }
        }
    }

    /** Nothing is known any more. */
    void clear() {
        lock.lock();
        try {
            offers.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a slot for one request.
     *
     * @return the node; null when none is known to have a free slot
     */
    @Nullable String pick(ServedContext context, long now) {
        lock.lock();
        try {
            Map<String, Offer> ofContext = offers.get(context);
            return ofContext == null ? null : pickOf(ofContext, now);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable String pickOf(Map<String, Offer> ofContext, long now) {
        candidates.clear();
        for (Map.Entry<String, Offer> one : ofContext.entrySet()) {
            Offer offer = one.getValue();
            if (offer.free > 0 && now - offer.heard <= freshNanos) {
                candidates.add(one);
            }
        }
        if (candidates.isEmpty()) {
            return null;
        }
        Map.Entry<String, Offer> one = drawn();
        Map.Entry<String, Offer> other = candidates.isEmpty() ? one : drawn();
        Map.Entry<String, Offer> best = other.getValue().free > one.getValue().free ? other : one;
        best.getValue().free--;
        return best.getKey();
    }

    private Map.Entry<String, Offer> drawn() {
        int index = random.applyAsInt(candidates.size());
        Map.Entry<String, Offer> last = candidates.removeLast();
        return index == candidates.size() ? last : candidates.set(index, last);
    }

    /** A node has said, with an answer or a BUSY, how many slots it has free now. */
    void told(String node, ServedContext context, int free) {
        lock.lock();
        try {
            Offer offer = offer(node, context);
            if (offer != null) {
                offer.free = Math.clamp(free, 0, offer.slots);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A request that a node had has ended, and the node has said nothing. */
    void ended(String node, ServedContext context) {
        lock.lock();
        try {
            Offer offer = offer(node, context);
            if (offer != null && offer.free < offer.slots) {
                offer.free++;
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Offer offer(String node, ServedContext context) {
        Map<String, Offer> ofContext = offers.get(context);
        return ofContext == null ? null : ofContext.get(node);
    }
}
