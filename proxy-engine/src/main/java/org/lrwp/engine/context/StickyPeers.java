package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.peer.PeerConnection;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The processes that serve one context, by the tags with which their clients come back to them. A
 * process is there while one of its connections is and its peer is not left out for bad answers.
 * Thread-safe, but for {@link #serving}: that is called under the context's lock.
 */
final class StickyPeers {
    private final StickyTags maker;
    private final PeerHealth health;
    private final LongAdder home = new LongAdder();
    private final LongAdder moved = new LongAdder();
    private final LongAdder fresh = new LongAdder();
    private volatile StickyConfig config;
    private volatile Tags tags = new Tags(Map.of(), Map.of());

    /** Both ways; replaced when a connection comes or goes. */
    private record Tags(Map<Object, String> byInstance, Map<String, Object> byTag) {}

    StickyPeers(StickyTags maker, PeerHealth health, StickyConfig config) {
        this.maker = maker;
        this.health = health;
        this.config = config;
    }

    StickyConfig config() {
        return config;
    }

    void limit(StickyConfig next) {
        config = next;
    }

    /** Those that serve the context have changed. */
    void serving(PeerConnection[] now) {
        Map<Object, String> byInstance = new HashMap<>();
        Map<String, Object> byTag = new HashMap<>();
        Tags before = tags;
        StickyConfig.Hash hash = config.hash();
        for (PeerConnection one : now) {
            Object instance = one.instance();
            if (!byInstance.containsKey(instance)) {
                String known = before.byInstance.get(instance);
                String tag = known == null ? maker.of(instance, hash) : known;
                byInstance.put(instance, tag);
                byTag.put(tag, instance);
            }
        }
        tags = new Tags(byInstance, byTag);
    }

    /** Whether a process of that tag serves the context. */
    boolean knows(String tag) {
        return tags.byTag.containsKey(tag);
    }

    /**
     * Binds a request to the process that its client has been told; without effect when none is.
     */
    void bind(Exchange exchange) {
        String shown = exchange.request().sticky();
        Object instance = shown.isEmpty() ? null : tags.byTag.get(shown);
        if (instance != null && isHere(instance)) {
            exchange.tries().staysAt(instance);
        }
    }

    /** Whether a process may have requests, now or when it has a free slot. */
    boolean isHere(Object instance) {
        return tags.byInstance.containsKey(instance) && !health.isOut(instance);
    }

    /**
     * A process answers a client.
     *
     * @param shown the tag that the client has; empty for none
     * @return the tag that it gets; empty when it has the right one, or there is none
     */
    String answers(Object instance, String shown) {
        String tag = tags.byInstance.get(instance);
        if (tag == null) {
            return "";
        } else if (tag.equals(shown)) {
            home.increment();
            return "";
        }
        (shown.isEmpty() ? fresh : moved).increment();
        return tag;
    }

    /** Answers so far, by where they came from. */
    static Map<String, Long> counts(@Nullable StickyPeers peers) {
        if (peers == null) {
            return Map.of();
        }
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("home", peers.home.sum());
        counts.put("moved", peers.moved.sum());
        counts.put("new", peers.fresh.sum());
        return counts;
    }
}
