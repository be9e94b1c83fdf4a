package org.lrwp.webapp.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import java.util.LinkedHashMap;
import java.util.Map;

/** Puts a scrape together, one value after another. Not thread-safe. */
final class Counters {
    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

    /** Adds a value that only grows; the name is without {@code _total}. */
    void counter(String name, String help, Labels labels, long value) {
        counters.computeIfAbsent(name, any -> CounterSnapshot.builder().name(name).help(help))
                .dataPoint(
                        CounterDataPointSnapshot.builder()
                                .labels(labels)
                                .value((double) value)
                                .build());
    }

    /** Adds a value that is what it is now. */
    void gauge(String name, String help, Labels labels, double value) {
        gauges.computeIfAbsent(name, any -> GaugeSnapshot.builder().name(name).help(help))
                .dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
    }

    /** Adds the times of one context. */
    void histogram(String name, String help, HistogramDataPointSnapshot times) {
        histograms
                .computeIfAbsent(name, any -> HistogramSnapshot.builder().name(name).help(help))
                .dataPoint(times);
    }

    MetricSnapshots all() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach(one -> all.metricSnapshot(one.build()));
        gauges.values().forEach(one -> all.metricSnapshot(one.build()));
        histograms.values().forEach(one -> all.metricSnapshot(one.build()));
        return all.build();
    }
}
