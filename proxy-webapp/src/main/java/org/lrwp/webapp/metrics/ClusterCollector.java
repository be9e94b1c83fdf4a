package org.lrwp.webapp.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.lrwp.cluster.ClusterStatus;
import org.lrwp.runtime.metrics.Scrape;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** Reads the figures of the cluster when somebody asks; none without one. Thread-safe. */
public final class ClusterCollector implements MultiCollector {
    private final Supplier<ClusterStatus> cluster;

    /**
     * Creates the collector.
     *
     * @param cluster gives pictures of the cluster
     */
    public ClusterCollector(Supplier<ClusterStatus> cluster) {
        this.cluster = cluster;
    }

    @Override
    public MetricSnapshots collect() {
        var all = new Scrape();
        ClusterStatus status = cluster.get();
        if (status.enabled()) {
            add(all, status);
        }
        return all.all();
    }

    private static void add(Scrape all, ClusterStatus status) {
        all.gauge(
                "lrwp_cluster_connected",
                "Whether NATS is reached; else this proxy works alone.",
                Labels.EMPTY,
                status.connected() ? 1 : 0);
        Map<ClusterStatus.State, Integer> states = new EnumMap<>(ClusterStatus.State.class);
        for (ClusterStatus.State state : ClusterStatus.State.values()) {
            states.put(state, 0);
        }
        status.nodes().forEach(node -> states.merge(node.state(), 1, Integer::sum));
        states.forEach(
                (state, count) ->
                        all.gauge(
                                "lrwp_cluster_nodes",
                                "Nodes of the cluster by whether they are heard.",
                                Labels.of("state", state.name().toLowerCase(Locale.ROOT)),
                                count));
        for (ClusterStatus.Node node : status.nodes()) {
            if (node.state() != ClusterStatus.State.SELF) {
                all.gauge(
                        "lrwp_cluster_away",
                        "Requests of this node that another one has.",
                        Labels.of("node", node.name()),
                        node.away());
            }
        }
        status.figures()
                .forEach(
                        (name, count) ->
                                all.counter(
                                        "lrwp_cluster_requests",
                                        "Requests between this node and others; docs/cluster.md"
                                                + " says what is counted.",
                                        Labels.of("what", name),
                                        count));
    }
}
