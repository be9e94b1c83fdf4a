package org.lrwp.osp.statistics;

import org.lrwp.osp.message.Status;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts by a word and a status. Any thread may call it; the words are few. */
final class StatusCounts {
    private final Map<String, Map<Status, LongAdder>> counts = new ConcurrentHashMap<>();

    /** Takes a count that is not zero. */
    @FunctionalInterface
    interface Counts {
        void add(String word, String status, long count);
    }

    void add(String word, Status status) {
        Map<Status, LongAdder> adders = counts.computeIfAbsent(word, any -> adders());
        Objects.requireNonNull(adders.get(status)).increment();
    }

    private static Map<Status, LongAdder> adders() {
        Map<Status, LongAdder> adders = new EnumMap<>(Status.class);
        for (Status status : Status.values()) {
            adders.put(status, new LongAdder());
        }
        return adders;
    }

    void each(Counts taker) {
        counts.forEach(
                (word, adders) ->
                        adders.forEach(
                                (status, adder) -> {
                                    long count = adder.sum();
                                    if (count > 0) {
                                        taker.add(word, Integer.toString(status.code()), count);
                                    }
                                }));
    }
}
