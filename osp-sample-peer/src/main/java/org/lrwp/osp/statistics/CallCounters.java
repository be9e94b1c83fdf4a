package org.lrwp.osp.statistics;

import java.util.concurrent.atomic.LongAdder;

/** Counts what calls are made of. Any thread may call it. */
public final class CallCounters {
    private final LongAdder authorisations = new LongAdder();
    private final LongAdder sourceUsages = new LongAdder();
    private final LongAdder destinationUsages = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /** Creates counters that stand at zero. */
    public CallCounters() {}

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

    /** Counts a component that was answered with a status that is no success. */
    public void refused() {
        refused.increment();
    }

    CallTotals totals() {
        return new CallTotals(
                authorisations.sum(), sourceUsages.sum(), destinationUsages.sum(), refused.sum());
    }
}
