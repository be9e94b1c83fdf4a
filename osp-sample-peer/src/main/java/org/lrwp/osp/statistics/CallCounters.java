package org.lrwp.osp.statistics;

import org.lrwp.osp.message.Status;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what calls are made of. Any thread may call it. */
public final class CallCounters {
    private final LongAdder authorisations = new LongAdder();
    private final LongAdder sourceUsages = new LongAdder();
    private final LongAdder destinationUsages = new LongAdder();
    private final Map<Status, LongAdder> refused = new EnumMap<>(Status.class);

    /** Creates counters that stand at zero. */
    public CallCounters() {
        for (Status status : Status.values()) {
            refused.put(status, new LongAdder());
        }
    }

    /** Counts an authorisation that was granted. */
    public void authorisation() {
        authorisations.increment();
    }

    /** Counts a usage reported by the calling side. */
    public void sourceUsage() {
        sourceUsages.increment();
    }

    /** Counts a usage reported by the called side. */
    public void destinationUsage() {
        destinationUsages.increment();
    }

    /**
     * Counts a component that was answered with a status that is no success.
     *
     * @param status which one
     */
    public void refused(Status status) {
        refused.computeIfAbsent(status, any -> new LongAdder()).increment();
    }

    /**
     * Returns all counts.
     *
     * @return keys and values
     */
    @Override
    public String toString() {
        CallTotals totals = totals();
        return totals.calls() + " " + totals.keysAndValues();
    }

    CallTotals totals() {
        Map<Integer, Long> byReason = new TreeMap<>();
        refused.forEach(
                (status, count) -> {
                    if (count.sum() > 0) {
                        byReason.put(status.code(), count.sum());
                    }
                });
        return new CallTotals(
                authorisations.sum(), sourceUsages.sum(), destinationUsages.sum(), byReason);
    }
}
