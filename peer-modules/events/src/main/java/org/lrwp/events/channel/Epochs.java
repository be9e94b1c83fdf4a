package org.lrwp.events.channel;

import org.lrwp.events.event.EventId;

import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The runs of the module whose events it knows. A new run has a new epoch, also when sequences go
 * on: what a run before has shown to clients and then lost has another name than what comes now.
 * Immutable.
 */
public final class Epochs {
    private static final int MOST = 64;

    private final TreeMap<Long, Long> ends;
    private final long current;

    private Epochs(SortedMap<Long, Long> ends, long current) {
        this.ends = new TreeMap<>(ends);
        this.current = current;
    }

    /**
     * Begins a run.
     *
     * @param before the runs before and the last sequence that is known of each
     * @param wallMillis the time of day, in milliseconds since 1970
     * @return epochs whose current one is new
     */
    public static Epochs begin(SequencedMap<Long, Long> before, long wallMillis) {
        TreeMap<Long, Long> ends = new TreeMap<>(before);
        while (ends.size() >= MOST) {
            ends.pollFirstEntry();
        }
        long last = ends.isEmpty() ? 0 : ends.lastKey();
        // A clock that was set back must not give an epoch twice.
        return new Epochs(ends, Math.max(wallMillis, last + 1));
    }

    /**
     * Returns the epoch of this run.
     *
     * @return milliseconds since 1970, about
     */
    public long current() {
        return current;
    }

    /**
     * Returns the runs before.
     *
     * @return the last sequence of each, by epoch
     */
    public SequencedMap<Long, Long> before() {
        return new TreeMap<>(ends);
    }

    /**
     * Says where a client is that has seen an event.
     *
     * @param id the event
     * @param head the last sequence now
     * @return its position; empty when nobody knows
     */
    OptionalLong position(EventId id, long head) {
        if (id.epoch() == current) {
            return id.sequence() <= head ? OptionalLong.of(id.sequence()) : OptionalLong.empty();
        }
        Long end = ends.get(id.epoch());
        // What that run showed beyond its known end is lost, but not to this client.
        return end == null ? OptionalLong.empty() : OptionalLong.of(Math.min(id.sequence(), end));
    }
}
