package org.lrwp.webapp.inspector;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.config.InspectRules;
import org.lrwp.webapp.config.TrafficConfig;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Keeps the last requests of contexts that are inspected, within a bound of memory for all. Where
 * nothing is inspected the end of a request costs one look at an empty map. Thread-safe; waits for
 * nothing but another request that is inspected.
 */
public final class Inspector implements ExchangeListener {
    /** Requests under way that are inspected; further ones are not. */
    private static final int MOST_OPEN = 1000;

    private final Supplier<TrafficConfig> config;
    private final InstantSource clock;
    private final Map<String, Inspection> open = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Entry> kept = new ArrayDeque<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private long bytes;

    /** One that has ended; its size is taken once, as its bodies may still grow. */
    private record Entry(Inspection inspection, long size) {
        String context() {
            return inspection.context();
        }
    }

    /**
     * Creates it empty.
     *
     * @param config what is inspected, as it is now
     * @param clock for the time of each request
     */
    public Inspector(Supplier<TrafficConfig> config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
    }

    /**
     * Begins to inspect a request of a context that is inspected.
     *
     * @param origin whose it is
     * @param head its head
     * @return what is told of it; null when too many are inspected, or one of the same id is
     */
    public @Nullable Inspection begin(Inspection.Origin origin, RequestHead head) {
        TrafficConfig now = config.get();
        InspectRules rules = now.of(origin.context()).inspect();
        if (open.size() >= MOST_OPEN) {
            return null;
        }
        var one =
                new Inspection(
                        new Mask(now.inspector().masked()),
                        clock.instant(),
                        origin,
                        head,
                        rules.bodyBytes());
        // A client may choose its id: the second of two at once is not looked at.
        return open.putIfAbsent(origin.id(), one) == null ? one : null;
    }

    /**
     * Returns a target as it may be shown.
     *
     * @param target of a request
     * @return the same without the values of secret parameters
     */
    public String shown(String target) {
        return new Mask(config.get().inspector().masked()).url(target);
    }

    @Override
    public void ended(ExchangeRecord exchange) {
        Inspection one = open.isEmpty() ? null : open.remove(exchange.id());
        if (one == null) {
            return;
        }
        one.ended(exchange);
        lock.lock();
        try {
            add(new Entry(one, one.size()));
        } finally {
            lock.unlock();
        }
    }

    private void add(Entry entry) {
        kept.addFirst(entry);
        bytes += entry.size();
        counts.merge(entry.context(), 1, Integer::sum);
        trim(entry.context());
        trimMemory();
    }

    /** Forgets the oldest of all that do not fit. */
    private void trimMemory() {
        while (bytes > config.get().inspector().memory() && !kept.isEmpty()) {
            forget(kept.removeLast());
        }
    }

    /** Forgets the oldest of a context above its number. */
    private void trim(String context) {
        int most = config.get().of(context).inspect().requests();
        Iterator<Entry> oldest = kept.descendingIterator();
        while (counts.getOrDefault(context, 0) > most && oldest.hasNext()) {
            Entry entry = oldest.next();
            if (entry.context().equals(context)) {
                oldest.remove();
                forget(entry);
            }
        }
    }

    private void forget(Entry entry) {
        bytes -= entry.size();
        counts.computeIfPresent(entry.context(), (one, count) -> count == 1 ? null : count - 1);
    }

    /** Forgets what the configuration no longer has kept. */
    public void use() {
        lock.lock();
        try {
            List.copyOf(counts.keySet()).forEach(this::trim);
            trimMemory();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns what is kept.
     *
     * @return the latest end first
     */
    public List<Inspection> all() {
        lock.lock();
        try {
            return kept.stream().map(Entry::inspection).toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Finds a request.
     *
     * @param id its id
     * @return the latest of that id; null when none is kept
     */
    public @Nullable Inspection find(String id) {
        return all().stream().filter(one -> one.id().equals(id)).findFirst().orElse(null);
    }
}
