package org.lrwp.cluster;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what went between this node and others. Thread-safe. */
final class ClusterFigures {
    /** What is counted, by its name in status and metrics. */
    enum Figure {
        /** Requests that were sent to another node. */
        SENT,
        /** Of these, answers that have come whole. */
        ANSWERED,
        /** Of these, those for which the node had no slot. */
        BUSY,
        /** Of these, those that nobody has heard. */
        UNHEARD,
        /** Of these, those whose node, or NATS, was lost. */
        LOST,
        /** Requests of other nodes that a peer of this one has got. */
        TAKEN,
        /** Requests of other nodes for which there was no slot. */
        REFUSED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Figure, LongAdder> counts = new EnumMap<>(Figure.class);

    ClusterFigures() {
        for (Figure figure : Figure.values()) {
            counts.put(figure, new LongAdder());
        }
    }

    void count(Figure figure) {
        LongAdder count = counts.get(figure);
        if (count != null) {
            count.increment();
        }
    }

    /** All counts by name, in their order. */
    Map<String, Long> all() {
        Map<String, Long> all = new LinkedHashMap<>();
        counts.forEach((figure, count) -> all.put(figure.word(), count.sum()));
        return all;
    }
}
