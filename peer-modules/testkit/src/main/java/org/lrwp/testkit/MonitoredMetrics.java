package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.lrwp.runtime.metrics.Scrape;
import org.lrwp.runtime.module.PeerModule;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Compares what the Grafana board and the alert rules ask for with what is there. */
public final class MonitoredMetrics {
    private static final List<String> FILES = List.of("alerts.yml", "grafana.json");

    private MonitoredMetrics() {}

    /**
     * Checks the metrics of a module.
     *
     * @param type its kind
     * @param module the module
     * @throws IOException when the files cannot be read
     */
    public static void check(String type, PeerModule module) throws IOException {
        Scrape scrape = new Scrape();
        scrape.figures(type, "any", module.figures());
        check(type, scrape.all());
    }

    /**
     * Checks the metrics of a kind of module.
     *
     * @param type the kind
     * @param there all that it has
     * @throws IOException when the files cannot be read
     */
    public static void check(String type, MetricSnapshots there) throws IOException {
        Set<String> names = there.stream().map(MonitoredMetrics::name).collect(Collectors.toSet());
        Pattern wanted = Pattern.compile("\\blrwp_" + type + "_[a-z_]+\\b");
        Set<String> missing = new TreeSet<>();
        int asked = 0;
        for (String file : FILES) {
            Matcher found = wanted.matcher(Files.readString(monitoring().resolve(file)));
            while (found.find()) {
                asked++;
                if (!names.contains(found.group())) {
                    missing.add(found.group());
                }
            }
        }
        assertEquals(Set.of(), missing);
        assertFalse(asked == 0, "nothing asks for metrics of " + type);
    }

    private static String name(MetricSnapshot metric) {
        String name = metric.getMetadata().getPrometheusName();
        return metric instanceof CounterSnapshot ? name + "_total" : name;
    }

    private static Path monitoring() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("monitoring"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new AssertionError("there is no folder monitoring above");
        }
        return folder.resolve("monitoring");
    }
}
