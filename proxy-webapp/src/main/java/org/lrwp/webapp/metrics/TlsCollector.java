package org.lrwp.webapp.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.runtime.metrics.Scrape;

import java.util.function.Supplier;

/** Reads how TLS handshakes ended when somebody asks; none where there is no TLS. Thread-safe. */
public final class TlsCollector implements MultiCollector {
    private final Supplier<@Nullable TlsHandshakes> peers;
    private final Supplier<@Nullable TlsHandshakes> clients;

    /**
     * Creates the collector.
     *
     * @param peers gives their counts; null where they cannot dial in inside TLS
     * @param clients gives their counts; null where only the container knows
     */
    public TlsCollector(
            Supplier<@Nullable TlsHandshakes> peers, Supplier<@Nullable TlsHandshakes> clients) {
        this.peers = peers;
        this.clients = clients;
    }

    @Override
    public MetricSnapshots collect() {
        var all = new Scrape();
        add(all, "peers", peers.get());
        add(all, "clients", clients.get());
        return all.all();
    }

    private static void add(Scrape all, String of, @Nullable TlsHandshakes now) {
        if (now != null) {
            add(all, of, "done", now.done());
            add(all, of, "refused", now.refused());
        }
    }

    private static void add(Scrape all, String of, String outcome, long count) {
        all.counter(
                "lrwp_tls_handshakes",
                "TLS handshakes of peers and clients by how they ended.",
                Labels.of("of", of, "outcome", outcome),
                count);
    }
}
