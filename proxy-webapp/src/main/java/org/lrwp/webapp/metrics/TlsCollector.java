package org.lrwp.webapp.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.runtime.metrics.Scrape;

import java.util.function.Supplier;

/** Reads how TLS handshakes of peers ended when somebody asks; none without TLS. Thread-safe. */
public final class TlsCollector implements MultiCollector {
    private final Supplier<@Nullable TlsHandshakes> handshakes;

    /**
     * Creates the collector.
     *
     * @param handshakes gives the counts; null where peers cannot dial in inside TLS
     */
    public TlsCollector(Supplier<@Nullable TlsHandshakes> handshakes) {
        this.handshakes = handshakes;
    }

    @Override
    public MetricSnapshots collect() {
        var all = new Scrape();
        TlsHandshakes now = handshakes.get();
        if (now != null) {
            String meaning = "TLS handshakes of peers by how they ended.";
            add(all, meaning, "done", now.done());
            add(all, meaning, "refused", now.refused());
        }
        return all.all();
    }

    private static void add(Scrape all, String meaning, String outcome, long count) {
        all.counter("lrwp_tls_handshakes", meaning, Labels.of("outcome", outcome), count);
    }
}
