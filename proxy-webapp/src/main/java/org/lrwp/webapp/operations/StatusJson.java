package org.lrwp.webapp.operations;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;

import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.transport.TransportStatus;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The status of the engine as JSON: docs/operations.md, "Status". Names are escaped. */
final class StatusJson {
    private StatusJson() {}

    static JsonObject of(
            EngineStatus status,
            List<ModuleStatus> modules,
            String version,
            long droppedLines,
            ConfigurationStatus configuration) {
        JsonArrayBuilder local = Json.createArrayBuilder();
        modules.forEach(module -> local.add(of(module)));
        JsonArrayBuilder contexts = Json.createArrayBuilder();
        status.contexts().forEach(context -> contexts.add(of(context)));
        JsonArrayBuilder peers = Json.createArrayBuilder();
        status.peers().forEach(peer -> peers.add(of(peer)));
        JsonArrayBuilder exchanges = Json.createArrayBuilder();
        status.exchanges().forEach(exchange -> exchanges.add(of(exchange)));
        JsonObjectBuilder cache = Json.createObjectBuilder();
        status.cache().forEach(cache::add);
        return Json.createObjectBuilder()
                .add("version", version)
                .add("listening", status.listening())
                .add("draining", status.draining())
                .add("agent", status.agentAddress())
                .add("transport", of(status.transport()))
                .add("inFlight", status.exchanges().size())
                .add("spoolMemory", status.spoolMemory())
                .add("spoolDisk", status.spoolDisk())
                .add("accessLogDropped", droppedLines)
                .add("configuration", of(configuration))
                .add("cache", cache)
                .add("contexts", contexts)
                .add("peers", peers)
                .add("modules", local)
                .add("exchanges", exchanges)
                .build();
    }

    private static JsonObjectBuilder of(ConfigurationStatus configuration) {
        JsonArrayBuilder waiting = Json.createArrayBuilder();
        configuration.waiting().forEach(name -> waiting.add(Escaper.escape(name)));
        return Json.createObjectBuilder()
                .add("file", Escaper.escape(configuration.file()))
                .add("refusal", Escaper.escape(configuration.refusal()))
                .add("waiting", waiting);
    }

    private static JsonObjectBuilder of(ModuleStatus module) {
        JsonObjectBuilder figures = Json.createObjectBuilder();
        module.figures().forEach(figure -> add(figures, figure.name(), figure.value()));
        JsonArrayBuilder contexts = Json.createArrayBuilder();
        module.contexts().forEach(context -> contexts.add(Escaper.escape(context)));
        return Json.createObjectBuilder()
                .add("module", Escaper.escape(module.name()))
                .add("type", Escaper.escape(module.type()))
                .add("contexts", contexts)
                .add("adminPort", module.adminPort())
                .add("refusal", Escaper.escape(module.refusal()))
                .add("figures", figures);
    }

    private static void add(JsonObjectBuilder object, String name, Number value) {
        double real = value.doubleValue();
        if (value instanceof Integer || value instanceof Long) {
            object.add(name, value.longValue());
        } else if (Double.isFinite(real)) {
            object.add(name, real);
        } else {
            object.addNull(name);
        }
    }

    private static JsonObjectBuilder of(TransportStatus transport) {
        return Json.createObjectBuilder()
                .add("kind", transport.kind())
                .add("reason", transport.reason())
                .add("threads", transport.threads())
                .add("restarts", transport.restarts());
    }

    private static JsonObjectBuilder of(ContextStatus context) {
        JsonObjectBuilder outcomes = Json.createObjectBuilder();
        Map<String, Long> sorted = new TreeMap<>(context.outcomes());
        sorted.forEach(outcomes::add);
        return Json.createObjectBuilder()
                .add("context", Escaper.escape(context.context()))
                .add("virtualHost", Escaper.escape(context.virtualHost()))
                .add("served", context.served())
                .add("connections", context.connections())
                .add("slots", context.slots())
                .add("free", context.free())
                .add("busy", context.busy())
                .add("waiting", context.waiting())
                .add("outcomes", outcomes);
    }

    private static JsonObjectBuilder of(PeerStatus peer) {
        JsonArrayBuilder contexts = Json.createArrayBuilder();
        for (ServedContext served : peer.contexts()) {
            contexts.add(
                    Json.createObjectBuilder()
                            .add("context", Escaper.escape(served.context()))
                            .add("virtualHost", Escaper.escape(served.virtualHost())));
        }
        JsonArrayBuilder stuck = Json.createArrayBuilder();
        peer.stuck().forEach(exchange -> stuck.add(of(exchange)));
        return Json.createObjectBuilder()
                .add("peer", Escaper.escape(peer.name()))
                .add("version", Escaper.escape(peer.version()))
                .add("contexts", contexts)
                .add("state", Escaper.escape(peer.state()))
                .add("capacity", peer.capacity())
                .add("busy", peer.busy())
                .add("served", peer.served())
                .add("stuck", stuck);
    }

    private static JsonObjectBuilder of(ExchangeStatus exchange) {
        return Json.createObjectBuilder()
                .add("id", exchange.id())
                .add("context", Escaper.escape(exchange.context()))
                .add("method", exchange.method())
                .add("state", exchange.state().name())
                .add("peer", Escaper.escape(exchange.peer()))
                .add("ageMillis", TimeUnit.NANOSECONDS.toMillis(exchange.ageNanos()));
    }
}
