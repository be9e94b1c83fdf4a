package org.lrwp.webapp.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.cluster.ClusterStatus;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.engine.transport.TransportStatus;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.runtime.metrics.MetricsText;
import org.lrwp.runtime.module.Figure;
import org.lrwp.webapp.operations.LogStatus;
import org.lrwp.webapp.operations.ModuleStatus;
import org.lrwp.webapp.traces.TraceStatus;
import org.lrwp.webapp.traffic.Compressors;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class MetricsPageTest {
    private static final long MILLI = 1_000_000;

    private @Nullable TlsHandshakes ofPeers;
    private @Nullable TlsHandshakes ofClients;
    private final List<ExchangeRecord> passed = new ArrayList<>();
    private final RequestMetrics requests = new RequestMetrics(passed::add, 2);
    private final AuditMetrics audit = new AuditMetrics(AuditTrail.NONE);
    private final MetricsText page =
            new MetricsText(
                    List.of(
                            new ProxyCollector(
                                    "1.0",
                                    requests,
                                    audit,
                                    MetricsPageTest::status,
                                    () ->
                                            List.of(
                                                    new ModuleStatus(
                                                            "files",
                                                            "download",
                                                            List.of("/files"),
                                                            ModuleStatus.State.RUNNING,
                                                            0,
                                                            "",
                                                            List.of(
                                                                    Figure.gauge(
                                                                            "openFlows",
                                                                            7,
                                                                            "",
                                                                            "Flows."),
                                                                    Figure.counter(
                                                                            "bytes", 8, "bytes",
                                                                            "Sent.")))),
                                    () -> new LogStatus(4, 5),
                                    () -> new TraceStatus(6, 7, 8),
                                    new Compressors()),
                            new ClusterCollector(this::cluster),
                            new TlsCollector(() -> ofPeers, () -> ofClients)));

    private ClusterStatus cluster = ClusterStatus.OFF;

    private ClusterStatus cluster() {
        return cluster;
    }

    private static EngineStatus status() {
        return new EngineStatus(
                true,
                false,
                false,
                "127.0.0.1:1081",
                "",
                List.of(
                        new ContextStatus(
                                "/osp",
                                "",
                                true,
                                2,
                                10,
                                4,
                                6,
                                null,
                                3,
                                List.of("p"),
                                5,
                                Map.of("home", 7L),
                                Map.of("answered", 1L))),
                List.of(),
                List.of(
                        new ExchangeStatus(
                                "1", "/osp", "GET", "/osp/x", ExchangeState.QUEUED, "", 1)),
                123,
                456,
                new TransportStatus("own", "", 1, true, 0),
                List.of(),
                Map.of("hit", 9L));
    }

    private static ExchangeRecord record(String context, int status, String reason, long millis) {
        return new ExchangeRecord(
                "1",
                "127.0.0.1",
                "GET",
                () -> "/",
                context,
                "peer",
                "billing",
                status,
                10,
                100,
                0,
                millis * MILLI,
                4_500,
                millis * MILLI,
                1,
                "edge",
                "",
                reason,
                RequestDetails.NONE);
    }

    private String text() {
        return page.write(null).text();
    }

    private static double value(String text, String line) {
        Matcher found =
                Pattern.compile("^" + Pattern.quote(line) + " (\\S+)$", Pattern.MULTILINE)
                        .matcher(text);
        assertTrue(found.find(), () -> line + " is not in\n" + text);
        return Double.parseDouble(found.group(1));
    }

    @Test
    void eachRequestIsCountedOnceWithItsTimesAndBytes() {
        requests.ended(record("/osp", 200, "answered", 3));
        requests.ended(record("/osp", 200, "answered", 30));
        requests.ended(record("/osp", 504, "peer-timeout", 70_000));
        requests.ended(record("/osp", 0, "client-gone", 1));
        requests.retried("/osp", Failure.REFUSED);
        requests.retried("/osp", Failure.REFUSED);
        requests.retried("/osp", Failure.PEER_TIMEOUT);
        String text = text();

        String counter = "lrwp_requests_total{context=\"/osp\",outcome=";
        assertEquals(2, value(text, counter + "\"answered\",status=\"2xx\"}"));
        assertEquals(1, value(text, counter + "\"peer-timeout\",status=\"5xx\"}"));
        assertEquals(1, value(text, counter + "\"client-gone\",status=\"0\"}"));
        String whole = "lrwp_request_duration_seconds_";
        assertEquals(2, value(text, whole + "bucket{context=\"/osp\",le=\"0.005\"}"));
        assertEquals(3, value(text, whole + "bucket{context=\"/osp\",le=\"60.0\"}"));
        assertEquals(4, value(text, whole + "count{context=\"/osp\"}"));
        assertEquals(70.034, value(text, whole + "sum{context=\"/osp\"}"), 1e-6);
        assertEquals(40, value(text, "lrwp_received_bytes_total{context=\"/osp\"}"));
        assertEquals(400, value(text, "lrwp_sent_bytes_total{context=\"/osp\"}"));
        String first = "lrwp_first_byte_duration_seconds_";
        assertEquals(4, value(text, first + "bucket{context=\"/osp\",le=\"1.0E-4\"}"));
        assertEquals(1.8e-5, value(text, first + "sum{context=\"/osp\"}"), 1e-9);
        String retries = "lrwp_retries_total{context=\"/osp\",reason=";
        assertEquals(2, value(text, retries + "\"refused\"}"));
        assertEquals(1, value(text, retries + "\"peer-timeout\"}"));
        assertEquals(0, value(text, retries + "\"peer-gone\"}"));
        assertEquals(3, Objects.requireNonNull(requests.totals("/osp")).retries());
        assertEquals(4, passed.size(), "the log is told too");
    }

    @Test
    void aNodeOfAClusterShowsTheOthers() {
        assertFalse(text().contains("lrwp_cluster"), "there is no cluster");
        var b =
                new ClusterStatus.Node(
                        "b", ClusterStatus.State.LIVE, 1, "1", 2, false, 3, List.of());
        cluster = new ClusterStatus(true, "lrwp", "a", true, "", 5, List.of(b), Map.of("sent", 4L));
        String text = text();
        assertEquals(1, value(text, "lrwp_cluster_connected"));
        assertEquals(1, value(text, "lrwp_cluster_nodes{state=\"live\"}"));
        assertEquals(0, value(text, "lrwp_cluster_nodes{state=\"gone\"}"));
        assertEquals(3, value(text, "lrwp_cluster_away{node=\"b\"}"));
        assertEquals(4, value(text, "lrwp_cluster_requests_total{what=\"sent\"}"));
    }

    @Test
    void tlsHandshakesAreCountedWhereThereIsTls() {
        assertFalse(text().contains("lrwp_tls"), "there is no TLS");
        ofPeers = new TlsHandshakes(3, 2);
        ofClients = new TlsHandshakes(5, 4);
        String text = text();
        assertEquals(3, value(text, "lrwp_tls_handshakes_total{of=\"peers\",outcome=\"done\"}"));
        assertEquals(2, value(text, "lrwp_tls_handshakes_total{of=\"peers\",outcome=\"refused\"}"));
        assertEquals(
                4, value(text, "lrwp_tls_handshakes_total{of=\"clients\",outcome=\"refused\"}"));
    }

    @Test
    void whatIsNowIsReadFromTheEngine() {
        audit.record(
                AuditEvent.refused(
                        AuditEvent.Action.REGISTER,
                        AuditActor.ofProcess("x"),
                        "/osp",
                        "not yours"));
        String text = text();
        assertEquals(4, value(text, "lrwp_slots{context=\"/osp\",host=\"\",state=\"free\"}"));
        assertEquals(6, value(text, "lrwp_slots{context=\"/osp\",host=\"\",state=\"busy\"}"));
        assertEquals(3, value(text, "lrwp_waiting{context=\"/osp\",host=\"\"}"));
        assertEquals(1, value(text, "lrwp_in_flight{context=\"/osp\"}"));
        assertEquals(456, value(text, "lrwp_spool_bytes{place=\"disk\"}"));
        assertEquals(9, value(text, "lrwp_response_cache{figure=\"hit\"}"));
        assertEquals(7, value(text, "lrwp_download_open_flows{module=\"files\"}"));
        assertEquals(8, value(text, "lrwp_download_bytes_total{module=\"files\"}"));
        assertEquals(4, value(text, "lrwp_log_lines_dropped_total{log=\"access\"}"));
        assertEquals(7, value(text, "lrwp_trace_spans_total{outcome=\"dropped\"}"));
        assertEquals(
                1, value(text, "lrwp_audit_events_total{action=\"register\",verdict=\"refused\"}"));
        assertTrue(text.contains("jvm_memory_used_bytes{"), text);
        assertTrue(text.contains("jvm_gc_collection_seconds"), text);
    }

    @Test
    void contextsAboveTheLimitShareOneName() {
        for (String context : List.of("/a", "/b", "/c", "/d")) {
            requests.ended(record(context, 200, "answered", 1));
        }
        String text = text();
        String rest = ",outcome=\"answered\",status=\"2xx\"}";
        assertEquals(1, value(text, "lrwp_requests_total{context=\"/b\"" + rest));
        assertEquals(2, value(text, "lrwp_requests_total{context=\"(others)\"" + rest));
        assertFalse(text.contains("\"/c\""), text);
        assertEquals(2, value(text, "lrwp_folded_contexts_uses_total"));
    }

    @Test
    void theFormatIsTheOneThatIsAskedFor() {
        MetricsText.Written plain = page.write("text/plain;version=0.0.4");
        assertTrue(
                plain.contentType().startsWith("text/plain; version=0.0.4"), plain.contentType());
        assertFalse(plain.text().contains("# EOF"));
        MetricsText.Written open =
                page.write("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
        assertTrue(
                open.contentType().startsWith("application/openmetrics-text; version=1.0.0"),
                open.contentType());
        assertTrue(open.text().endsWith("# EOF\n"), open.text());
    }

    @Test
    void noRequestIsLostWhenManyThreadsCount() throws Exception {
        int each = 20_000;
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Void>> counters = new ArrayList<>();
            var counted = new RequestMetrics(record -> {}, 10);
            for (int i = 0; i < 4; i++) {
                String reason = i % 2 == 0 ? "answered" : "peer-gone";
                counters.add(
                        () -> {
                            for (int j = 0; j < each; j++) {
                                counted.ended(record("/osp", 200, reason, 1));
                            }
                            return null;
                        });
            }
            for (var done : threads.invokeAll(counters)) {
                done.get();
            }
            long[] sum = {0};
            counted.contexts()
                    .values()
                    .forEach(one -> one.outcomes((outcome, status, count) -> sum[0] += count));
            assertEquals(4L * each, sum[0]);
        }
    }
}
