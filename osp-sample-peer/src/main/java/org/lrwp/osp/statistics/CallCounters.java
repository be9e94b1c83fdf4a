package org.lrwp.osp.statistics;

import org.lrwp.osp.message.Status;
import org.lrwp.runtime.module.Figure;

import java.util.EnumMap;
import java.util.List;
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
     * Returns all counts as figures.
     *
     * @return what calls are made of, calls themselves and refusals of all reasons
     */
    public List<Figure> figures() {
        CallTotals totals = totals();
        return List.of(
                new Figure(
                        "authorisations",
                        totals.authorisations(),
                        "answers",
                        "Authorisations granted."),
                new Figure(
                        "sourceUsages",
                        totals.sourceUsages(),
                        "usages",
                        "Usages reported by calling sides."),
                new Figure(
                        "destinationUsages",
                        totals.destinationUsages(),
                        "usages",
                        "Usages reported by called sides."),
                new Figure(
                        "calls",
                        totals.calls(),
                        "calls",
                        "Calls authorised and reported by both sides."),
                new Figure("refused", totals.allRefused(), "answers", "Components refused."));
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
