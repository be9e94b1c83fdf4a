package org.lrwp.engine.cache;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the cache has done with requests. Any thread. */
final class CacheFigures {
    /** One thing that is counted. */
    enum Event {
        HITS,
        STALE,
        MISSES,
        COLLAPSED,
        VALIDATED,
        STORED,
        PASSED,
        INVALIDATED,
        PURGED
    }

    private final Map<Event, LongAdder> counts = new LinkedHashMap<>();

    CacheFigures() {
        for (Event event : Event.values()) {
            counts.put(event, new LongAdder());
        }
    }

    void count(Event event) {
        add(event, 1);
    }

    void add(Event event, long number) {
        LongAdder count = counts.get(event);
        if (count != null) {
            count.add(number);
        }
    }

    Map<String, Long> read() {
        Map<String, Long> figures = new LinkedHashMap<>();
        counts.forEach(
                (event, count) -> figures.put(event.name().toLowerCase(Locale.ROOT), count.sum()));
        return figures;
    }
}
