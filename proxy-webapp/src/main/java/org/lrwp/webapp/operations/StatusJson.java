package org.lrwp.webapp.operations;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.cluster.ClusterStatus;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.transport.TransportStatus;
import org.lrwp.runtime.json.Json;
import org.lrwp.runtime.operation.ValueJson;

import java.io.IOException;
import java.util.Collection;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The status of the engine as JSON: docs/operations.md, "Status". Names are escaped. */
final class StatusJson {
    private final JsonGenerator json;
    private final ContextTotals.View totals;

    private StatusJson(JsonGenerator json, ContextTotals.View totals) {
        this.json = json;
        this.totals = totals;
    }

    /** What is written of one thing. */
    private interface Writer<T> {
        void write(T value) throws IOException;
    }

    /**
     * What is written beside engine and modules.
     *
     * @param logs how the proxy's own logs do
     * @param configuration where it comes from
     * @param cluster the other nodes
     * @param totals adds up the requests of contexts
     */
    record Surroundings(
            LogStatus logs,
            ConfigurationStatus configuration,
            ClusterStatus cluster,
            ContextTotals.View totals) {}

    static String text(
            EngineStatus status,
            Collection<ModuleStatus> modules,
            String version,
            Surroundings around) {
        return Json.object(
                json -> {
                    var writer = new StatusJson(json, around.totals());
                    json.writeStringField("version", version);
                    writer.write(status, around.logs());
                    writer.write(around.configuration());
                    writer.write(around.cluster());
                    Json.numbers(json, "cache", status.cache());
                    writer.objects("contexts", status.contexts(), writer::context);
                    writer.objects("peers", status.peers(), writer::peer);
                    writer.objects("modules", modules, writer::module);
                    writer.objects("exchanges", status.exchanges(), writer::exchange);
                });
    }

    private void write(EngineStatus status, LogStatus logs) throws IOException {
        json.writeBooleanField("listening", status.listening());
        json.writeBooleanField("draining", status.draining());
        json.writeBooleanField("drained", status.drained());
        names("drainedPeers", status.drainedPeers());
        json.writeStringField("agent", status.agentAddress());
        name("agentSocket", status.agentSocket());
        TransportStatus transport = status.transport();
        json.writeObjectFieldStart("transport");
        json.writeStringField("kind", transport.kind());
        json.writeStringField("reason", transport.reason());
        json.writeNumberField("threads", transport.threads());
        json.writeNumberField("restarts", transport.restarts());
        json.writeEndObject();
        json.writeNumberField("inFlight", status.exchanges().size());
        json.writeNumberField("spoolMemory", status.spoolMemory());
        json.writeNumberField("spoolDisk", status.spoolDisk());
        json.writeNumberField("accessLogDropped", logs.accessDropped());
        json.writeNumberField("auditLogDropped", logs.auditDropped());
    }

    private void write(ConfigurationStatus configuration) throws IOException {
        json.writeObjectFieldStart("configuration");
        name("file", configuration.file());
        name("refusal", configuration.refusal());
        names("waiting", configuration.waiting());
        json.writeEndObject();
    }

    private void write(ClusterStatus cluster) throws IOException {
        json.writeObjectFieldStart("cluster");
        json.writeBooleanField("enabled", cluster.enabled());
        if (cluster.enabled()) {
            name("name", cluster.cluster());
            name("node", cluster.node());
            json.writeBooleanField("connected", cluster.connected());
            name("reason", cluster.reason());
            json.writeNumberField("sinceMillis", cluster.sinceMillis());
            json.writeNumberField("nodes", cluster.nodes().size());
            Json.numbers(json, "figures", cluster.figures());
        }
        json.writeEndObject();
    }

    private void module(ModuleStatus module) throws IOException {
        name("module", module.name());
        name("type", module.type());
        names("contexts", module.contexts());
        json.writeStringField("state", module.state().word());
        json.writeNumberField("adminPort", module.adminPort());
        name("refusal", module.refusal());
        ValueJson.figures(json, module.figures());
    }

    private void context(ContextStatus context) throws IOException {
        name("context", context.context());
        name("virtualHost", context.virtualHost());
        json.writeBooleanField("served", context.served());
        json.writeNumberField("connections", context.connections());
        json.writeNumberField("slots", context.slots());
        json.writeNumberField("free", context.free());
        json.writeNumberField("busy", context.busy());
        json.writeNumberField("waiting", context.waiting());
        Json.numbers(json, "sticky", new TreeMap<>(context.sticky()));
        Json.numbers(json, "outcomes", new TreeMap<>(context.outcomes()));
        ContextTotals all = totals.totals(context.context());
        if (all != null) {
            json.writeNumberField("receivedBytes", all.receivedBytes());
            json.writeNumberField("sentBytes", all.sentBytes());
            json.writeNumberField("retries", all.retries());
            Json.number(json, "meanQueueMillis", all.meanQueueMillis());
            Json.number(json, "meanPeerMillis", all.meanPeerMillis());
            Json.number(json, "meanMillis", all.meanMillis());
        }
    }

    private void peer(PeerStatus peer) throws IOException {
        name("peer", peer.name());
        name("identity", peer.identity());
        name("proof", peer.proof());
        name("instance", peer.instance());
        name("program", peer.program());
        name("version", peer.version());
        objects("contexts", peer.contexts(), this::served);
        name("state", peer.state());
        json.writeNumberField("capacity", peer.capacity());
        json.writeNumberField("busy", peer.busy());
        json.writeNumberField("weight", peer.weight());
        json.writeNumberField("served", peer.served());
        objects("stuck", peer.stuck(), this::exchange);
    }

    private void served(ServedContext served) throws IOException {
        name("context", served.context());
        name("virtualHost", served.virtualHost());
    }

    private void exchange(ExchangeStatus exchange) throws IOException {
        json.writeStringField("id", exchange.id());
        name("context", exchange.context());
        json.writeStringField("method", exchange.method());
        json.writeStringField("state", exchange.state().name());
        name("peer", exchange.peer());
        json.writeNumberField("ageMillis", TimeUnit.NANOSECONDS.toMillis(exchange.ageNanos()));
    }

    private void name(String field, String name) throws IOException {
        json.writeStringField(field, Escaper.escape(name));
    }

    private void names(String field, Collection<String> names) throws IOException {
        Json.texts(json, field, names.stream().map(Escaper::escape).toList());
    }

    private <T> void objects(String field, Collection<T> values, Writer<T> writer)
            throws IOException {
        Json.objects(json, field, values, (_, value) -> writer.write(value));
    }
}
