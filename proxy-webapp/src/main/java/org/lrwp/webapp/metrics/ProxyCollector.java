package org.lrwp.webapp.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.runtime.metrics.Scrape;
import org.lrwp.webapp.config.Coding;
import org.lrwp.webapp.operations.EngineView;
import org.lrwp.webapp.operations.LogStatus;
import org.lrwp.webapp.operations.ModuleView;
import org.lrwp.webapp.traces.TraceStatus;
import org.lrwp.webapp.traffic.Compressors;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads all figures of the proxy when somebody asks. Thread-safe. */
public final class ProxyCollector implements MultiCollector {
    private static final String CONTEXT = "context";

    private final String version;
    private final RequestMetrics requests;
    private final AuditMetrics audit;
    private final EngineView engine;
    private final ModuleView modules;
    private final Supplier<LogStatus> logs;
    private final Supplier<TraceStatus> traces;
    private final Compressors compressors;

    /**
     * Creates the collector.
     *
     * @param version of the proxy
     * @param requests counts requests
     * @param audit counts what the audit log takes down
     * @param engine gives pictures of the engine
     * @param modules gives the figures of the modules
     * @param logs says how the proxy's own logs do
     * @param traces says what has become of spans
     * @param compressors count what they compress
     */
    public ProxyCollector(
            String version,
            RequestMetrics requests,
            AuditMetrics audit,
            EngineView engine,
            ModuleView modules,
            Supplier<LogStatus> logs,
            Supplier<TraceStatus> traces,
            Compressors compressors) {
        this.version = version;
        this.requests = requests;
        this.audit = audit;
        this.engine = engine;
        this.modules = modules;
        this.logs = logs;
        this.traces = traces;
        this.compressors = compressors;
    }

    @Override
    public MetricSnapshots collect() {
        var all = new Scrape();
        requests.contexts().forEach((context, figures) -> add(all, context, figures));
        all.counter(
                "lrwp_folded_contexts_uses",
                "Requests of contexts that have no figures of their own (metrics.contexts).",
                Labels.EMPTY,
                requests.folded());
        EngineStatus status = engine.status();
        add(all, status);
        addContexts(all, status);
        addPeers(all, status);
        addLogs(all);
        addTraces(all);
        addCompression(all);
        modules.modules()
                .forEach(module -> all.figures(module.type(), module.name(), module.figures()));
        return all.all();
    }

    private static void add(Scrape all, String context, ContextFigures figures) {
        Labels labels = Labels.of(CONTEXT, context);
        figures.outcomes(
                (outcome, status, count) ->
                        all.counter(
                                "lrwp_requests",
                                "Requests by the reason word of the access log and the class of"
                                        + " their status; 0 = nothing was sent.",
                                Labels.of(CONTEXT, context, "outcome", outcome, "status", status),
                                count));
        all.counter("lrwp_received_bytes", "Bytes of request bodies.", labels, figures.received());
        all.counter("lrwp_sent_bytes", "Bytes of answer bodies.", labels, figures.sent());
        figures.retries(
                (why, count) ->
                        all.counter(
                                "lrwp_retries",
                                "Moves of a request to another connection, by the reason word of"
                                        + " what became of it before.",
                                labels.add("reason", why.word()),
                                count));
        all.histogram(
                "lrwp_queue_duration_seconds",
                "Time that requests waited for a peer.",
                figures.queued().snapshot(labels));
        all.histogram(
                "lrwp_peer_duration_seconds",
                "Time that requests were with peers.",
                figures.withPeer().snapshot(labels));
        all.histogram(
                "lrwp_first_byte_duration_seconds",
                "Time from the head of a request to the beginning of its answer.",
                figures.firstByte().snapshot(labels));
        all.histogram(
                "lrwp_request_duration_seconds",
                "Time from the head of a request to the end of its answer.",
                figures.whole().snapshot(labels));
    }

    private void add(Scrape all, EngineStatus status) {
        all.gauge("lrwp_up", "1, with the version.", Labels.of("version", version), 1);
        all.gauge(
                "lrwp_listening",
                "Whether peers can dial in.",
                Labels.EMPTY,
                status.listening() ? 1 : 0);
        all.gauge(
                "lrwp_draining",
                "Whether new requests are refused.",
                Labels.EMPTY,
                status.draining() ? 1 : 0);
        all.gauge(
                "lrwp_drained",
                "Whether no new requests are to be sent here.",
                Labels.EMPTY,
                status.drained() ? 1 : 0);
        String spool = "Bytes of bodies that are kept.";
        all.gauge(
                "lrwp_spool_bytes",
                spool,
                Labels.of("place", "memory"),
                (double) status.spoolMemory());
        all.gauge(
                "lrwp_spool_bytes", spool, Labels.of("place", "disk"), (double) status.spoolDisk());
        status.cache()
                .forEach(
                        (name, value) ->
                                all.gauge(
                                        "lrwp_response_cache",
                                        "Figures of the response cache since the start.",
                                        Labels.of("figure", name),
                                        value));
    }

    private void addContexts(Scrape all, EngineStatus status) {
        Map<String, Integer> inFlight = new TreeMap<>();
        for (ExchangeStatus exchange : status.exchanges()) {
            inFlight.merge(exchange.context(), 1, Integer::sum);
        }
        all.gauge(
                "lrwp_contexts",
                "Contexts that are known.",
                Labels.EMPTY,
                status.contexts().size());
        int room = requests.mostContexts();
        for (ContextStatus context : status.contexts()) {
            if (room-- == 0) {
                requests.tellFull(context.context());
                break;
            }
            inFlight.putIfAbsent(context.context(), 0);
            Labels labels = Labels.of(CONTEXT, context.context(), "host", context.virtualHost());
            all.gauge("lrwp_waiting", "Requests that wait for a peer.", labels, context.waiting());
            all.gauge(
                    "lrwp_connections",
                    "Connections of peers that serve the context.",
                    labels,
                    context.connections());
            all.gauge(
                    "lrwp_ejected_connections",
                    "Connections whose peer gets nothing at present, as it has answered badly.",
                    labels,
                    context.ejected().size());
            all.counter(
                    "lrwp_ejections",
                    "How often a peer has been left out for bad answers.",
                    labels,
                    context.ejections());
            addSticky(all, context, labels);
            String slots = "Requests that the peers of the context take at once.";
            all.gauge("lrwp_slots", slots, labels.add("state", "free"), context.free());
            all.gauge("lrwp_slots", slots, labels.add("state", "busy"), context.busy());
        }
        inFlight.forEach(
                (context, count) ->
                        all.gauge(
                                "lrwp_in_flight",
                                "Requests under way, those that wait included.",
                                Labels.of(CONTEXT, context),
                                count));
    }

    private static void addSticky(Scrape all, ContextStatus context, Labels labels) {
        context.sticky()
                .forEach(
                        (place, count) ->
                                all.counter(
                                        "lrwp_sticky_answers",
                                        "Answers by where the client's sticky cookie led.",
                                        labels.add("to", place),
                                        count));
    }

    private static void addPeers(Scrape all, EngineStatus status) {
        Map<String, Integer> peers = new TreeMap<>();
        int stuck = 0;
        for (PeerStatus peer : status.peers()) {
            peers.merge(peer.version() + " " + peer.state(), 1, Integer::sum);
            stuck += peer.stuck().size();
        }
        peers.forEach(
                (kind, count) -> {
                    int space = kind.indexOf(' ');
                    all.gauge(
                            "lrwp_peers",
                            "Connections of peers by version of the protocol and state.",
                            Labels.of(
                                    "version",
                                    kind.substring(0, space),
                                    "state",
                                    kind.substring(space + 1)),
                            count);
                });
        all.gauge(
                "lrwp_stuck",
                "Cancelled requests that their peer has not let go of.",
                Labels.EMPTY,
                stuck);
    }

    private void addLogs(Scrape all) {
        LogStatus now = logs.get();
        String dropped = "Lines that a log has lost.";
        all.counter(
                "lrwp_log_lines_dropped", dropped, Labels.of("log", "access"), now.accessDropped());
        all.counter(
                "lrwp_log_lines_dropped", dropped, Labels.of("log", "audit"), now.auditDropped());
        audit.counts(
                (action, verdict, count) ->
                        all.counter(
                                "lrwp_audit_events",
                                "What the audit log was told of.",
                                Labels.of("action", word(action), "verdict", word(verdict)),
                                count));
    }

    private void addTraces(Scrape all) {
        TraceStatus now = traces.get();
        String help = "Spans that were to be sent, by what became of them.";
        String name = "lrwp_trace_spans";
        all.counter(name, help, Labels.of("outcome", "sent"), now.sent());
        all.counter(name, help, Labels.of("outcome", "dropped"), now.dropped());
        all.counter(name, help, Labels.of("outcome", "failed"), now.failed());
    }

    private void addCompression(Scrape all) {
        String name = "lrwp_compressed_answers";
        String help = "Answers that were compressed, by coding; none = there were too many.";
        for (Coding coding : Coding.values()) {
            all.counter(name, help, Labels.of("coding", coding.token()), compressors.made(coding));
        }
        all.counter(name, help, Labels.of("coding", "none"), compressors.refused());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
