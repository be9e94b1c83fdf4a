package org.lrwp.runtime.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.lrwp.runtime.module.Figure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts a scrape together, one value after another. Not thread-safe. */
public final class Scrape {
    private static final double MICROS = 1e6;

    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

    /** Creates a scrape without a value. */
    public Scrape() {}

    /**
     * Adds the figures of a module as {@code lrwp_TYPE_NAME_UNIT}, with its name as a label: the
     * same names wherever it runs.
     *
     * @param type kind of the module
     * @param module its name
     * @param figures what it counts
     */
    public void figures(String type, String module, List<Figure> figures) {
        Labels labels = Labels.of("module", module);
        for (Figure figure : figures) {
            String name = "lrwp_" + words(type) + "_" + words(figure.name()) + suffix(figure);
            if (figure.kind() == Figure.Kind.COUNTER) {
                counter(name, figure.meaning(), labels, figure.value().longValue());
            } else {
                gauge(name, figure.meaning(), labels, inBaseUnit(figure));
            }
        }
    }

    private static String words(String name) {
        return name.replace('-', '_').replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static String suffix(Figure figure) {
        return switch (figure.unit()) {
            case "bytes" -> words(figure.name()).endsWith("bytes") ? "" : "_bytes";
            case "s", "us" -> "_seconds";
            default -> "";
        };
    }

    private static double inBaseUnit(Figure figure) {
        double value = figure.value().doubleValue();
        return figure.unit().equals("us") ? value / MICROS : value;
    }

    /**
     * Adds a value that only grows.
     *
     * @param name without {@code _total}
     * @param help what it is, for people
     * @param labels which of these values it is
     * @param value what it is now
     */
    public void counter(String name, String help, Labels labels, long value) {
        counters.computeIfAbsent(name, any -> CounterSnapshot.builder().name(name).help(help))
                .dataPoint(
                        CounterDataPointSnapshot.builder()
                                .labels(labels)
                                .value((double) value)
                                .build());
    }

    /**
     * Adds a value that is what it is now.
     *
     * @param name whole
     * @param help what it is, for people
     * @param labels which of these values it is
     * @param value what it is now
     */
    public void gauge(String name, String help, Labels labels, double value) {
        gauges.computeIfAbsent(name, any -> GaugeSnapshot.builder().name(name).help(help))
                .dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
    }

    /**
     * Adds the times of one context.
     *
     * @param name whole
     * @param help what is measured, for people
     * @param times what was measured
     */
    public void histogram(String name, String help, HistogramDataPointSnapshot times) {
        histograms
                .computeIfAbsent(name, any -> HistogramSnapshot.builder().name(name).help(help))
                .dataPoint(times);
    }

    /**
     * Returns all that was added.
     *
     * @return as the library writes it
     */
    public MetricSnapshots all() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach(one -> all.metricSnapshot(one.build()));
        gauges.values().forEach(one -> all.metricSnapshot(one.build()));
        histograms.values().forEach(one -> all.metricSnapshot(one.build()));
        return all.build();
    }
}
