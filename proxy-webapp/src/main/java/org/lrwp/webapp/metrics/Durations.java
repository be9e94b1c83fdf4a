package org.lrwp.webapp.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

import java.util.concurrent.atomic.LongAdder;

/** A histogram of times. Thread-safe; adding takes no lock and no memory. */
final class Durations {
    /** Upper bounds in seconds; above the last one there is no bound. */
    private static final double[] BOUNDS = {
        0.0001,
        0.00025,
        0.0005,
        0.001,
        0.0025,
        0.005,
        0.01,
        0.025,
        0.05,
        0.1,
        0.25,
        0.5,
        1,
        2.5,
        5,
        10,
        30,
        60,
        Double.POSITIVE_INFINITY
    };

    private static final double SECOND = 1e9;
    private static final double MILLI = 1e6;
    private static final long[] BOUND_NANOS = nanos();

    private final LongAdder[] counts = new LongAdder[BOUNDS.length];
    private final LongAdder sum = new LongAdder();

    Durations() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    private static long[] nanos() {
        long[] nanos = new long[BOUNDS.length];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = (long) (BOUNDS[i] * SECOND);
        }
        return nanos;
    }

    /** Adds one time. */
    void add(long nanos) {
        int bucket = 0;
        while (nanos > BOUND_NANOS[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        sum.add(nanos);
    }

    /** The mean of what was added so far; 0 without anything. */
    double meanMillis() {
        long count = 0;
        for (LongAdder each : counts) {
            count += each.sum();
        }
        return count == 0 ? 0 : sum.sum() / MILLI / count;
    }

    /** What was added so far. */
    HistogramDataPointSnapshot snapshot(Labels labels) {
        long[] now = new long[counts.length];
        for (int i = 0; i < now.length; i++) {
            now[i] = counts[i].sum();
        }
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, now))
                .sum(sum.sum() / SECOND)
                .build();
    }
}
