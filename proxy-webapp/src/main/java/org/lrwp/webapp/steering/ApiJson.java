package org.lrwp.webapp.steering;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.context.Pause;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.runtime.json.Json;
import org.lrwp.runtime.operation.ValueJson;
import org.lrwp.webapp.operations.ModuleStatus;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The views of the API as JSON, as {@code openapi.json} describes them. */
final class ApiJson {
    private static final double NANOS_PER_MILLI = 1e6;

    private ApiJson() {}

    private static <T> String list(String name, List<T> values, Json.Members<T> members) {
        return Json.object(json -> Json.objects(json, name, values, members));
    }

    static String status(View view) {
        EngineStatus status = view.engine().status();
        return Json.object(
                json -> {
                    json.writeStringField("version", view.version());
                    json.writeNumberField("uptimeSeconds", view.uptime().get().toSeconds());
                    json.writeBooleanField("listening", status.listening());
                    json.writeBooleanField("draining", status.draining());
                    json.writeBooleanField("drained", status.drained());
                    json.writeStringField("agent", status.agentAddress());
                    json.writeStringField("agentSocket", status.agentSocket());
                    json.writeNumberField("contexts", status.contexts().size());
                    json.writeNumberField("peers", status.peers().size());
                    json.writeNumberField("inFlight", status.exchanges().size());
                    json.writeNumberField("waiting", waiting(status));
                    json.writeNumberField("spoolMemory", status.spoolMemory());
                    json.writeNumberField("spoolDisk", status.spoolDisk());
                    json.writeStringField("refusal", view.configuration().refusal());
                    Json.texts(json, "drainedPeers", status.drainedPeers());
                });
    }

    private static int waiting(EngineStatus status) {
        return status.contexts().stream().mapToInt(ContextStatus::waiting).sum();
    }

    static String contexts(View view) {
        return list("contexts", view.engine().status().contexts(), ApiJson::context);
    }

    private static void context(JsonGenerator json, ContextStatus context) throws IOException {
        json.writeStringField("context", context.context());
        json.writeStringField("virtualHost", context.virtualHost());
        json.writeBooleanField("served", context.served());
        json.writeNumberField("connections", context.connections());
        json.writeNumberField("slots", context.slots());
        json.writeNumberField("free", context.free());
        json.writeNumberField("busy", context.busy());
        json.writeNumberField("waiting", context.waiting());
        Pause paused = context.paused();
        json.writeBooleanField("paused", paused != null);
        if (paused != null) {
            json.writeStringField("pauseText", paused.text());
            json.writeNumberField("retryAfter", paused.retryAfterSeconds());
        }
        Json.texts(json, "ejected", context.ejected());
        json.writeNumberField("ejections", context.ejections());
        Json.numbers(json, "sticky", context.sticky());
        Json.numbers(json, "outcomes", context.outcomes());
    }

    static String peers(View view) {
        return list("peers", view.engine().status().peers(), ApiJson::peer);
    }

    private static void peer(JsonGenerator json, PeerStatus peer) throws IOException {
        json.writeStringField("id", peer.name());
        json.writeStringField("identity", peer.identity());
        json.writeStringField("proof", peer.proof());
        json.writeStringField("instance", peer.instance());
        json.writeStringField("program", peer.program());
        json.writeStringField("version", peer.version());
        Json.objects(json, "contexts", peer.contexts(), ApiJson::served);
        json.writeStringField("state", peer.state());
        json.writeBooleanField("draining", peer.state().equals("draining"));
        json.writeNumberField("slots", peer.capacity());
        json.writeNumberField("busy", peer.busy());
        json.writeNumberField("weight", peer.weight());
        json.writeNumberField("load", load(peer));
        json.writeNumberField("served", peer.served());
        json.writeNumberField("stuck", peer.stuck().size());
        json.writeNumberField("ageMillis", millis(peer.ageNanos()));
    }

    private static void served(JsonGenerator json, ServedContext served) throws IOException {
        json.writeStringField("context", served.context());
        json.writeStringField("virtualHost", served.virtualHost());
    }

    /** The share of its slots that have a request. */
    private static double load(PeerStatus peer) {
        return peer.capacity() == 0 ? 0 : (double) peer.busy() / peer.capacity();
    }

    static String requests(View view) {
        return list(
                "requests",
                view.engine().status().exchanges(),
                (json, one) -> request(json, one, view.inspector().shown(one.target())));
    }

    private static void request(JsonGenerator json, ExchangeStatus request, String target)
            throws IOException {
        json.writeStringField("id", request.id());
        json.writeStringField("context", request.context());
        json.writeStringField("method", request.method());
        json.writeStringField("path", target);
        json.writeStringField("phase", request.state().name().toLowerCase(Locale.ROOT));
        json.writeStringField("peer", request.peer());
        json.writeNumberField("ageMillis", millis(request.ageNanos()));
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }

    static String errors(View view) {
        return list(
                "errors",
                view.errors().all(),
                (json, one) -> error(json, one, view.inspector().shown(one.exchange().target())));
    }

    private static void error(JsonGenerator json, RecentErrors.Failed failed, String target)
            throws IOException {
        ExchangeRecord exchange = failed.exchange();
        json.writeStringField("time", failed.time().toString());
        json.writeStringField("id", exchange.id());
        json.writeStringField("client", exchange.client());
        json.writeStringField("method", exchange.method());
        json.writeStringField("path", target);
        json.writeStringField("context", exchange.context());
        json.writeStringField("peer", exchange.peer());
        json.writeNumberField("status", exchange.status());
        json.writeStringField("reason", exchange.reason());
        json.writeNumberField("queueMillis", exchange.queueNanos() / NANOS_PER_MILLI);
        json.writeNumberField("peerMillis", exchange.peerNanos() / NANOS_PER_MILLI);
        json.writeNumberField("totalMillis", exchange.totalNanos() / NANOS_PER_MILLI);
        json.writeNumberField("retries", exchange.retries());
    }

    static String caches(View view) {
        Map<String, Long> figures = view.engine().status().cache();
        return Json.object(
                json -> {
                    json.writeArrayFieldStart("caches");
                    if (!figures.isEmpty()) {
                        json.writeStartObject();
                        json.writeStringField("name", "response");
                        Json.numbers(json, "figures", figures);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    static String modules(View view) {
        return list("modules", view.modules().modules(), ApiJson::module);
    }

    private static void module(JsonGenerator json, ModuleStatus module) throws IOException {
        json.writeStringField("name", module.name());
        json.writeStringField("type", module.type());
        json.writeStringField("state", module.state().word());
        Json.texts(json, "contexts", module.contexts());
        json.writeNumberField("adminPort", module.adminPort());
        json.writeStringField("refusal", module.refusal());
        ValueJson.figures(json, module.figures());
    }

    static String traffic(View view) {
        return list("samples", view.traffic().samples(), ApiJson::sample);
    }

    private static void sample(JsonGenerator json, Traffic.Sample sample) throws IOException {
        json.writeStringField("end", sample.end().toString());
        json.writeNumberField("seconds", Traffic.STEP.toSeconds());
        json.writeNumberField("ok", sample.ok());
        json.writeNumberField("clientErrors", sample.clientErrors());
        json.writeNumberField("serverErrors", sample.serverErrors());
        json.writeNumberField("gone", sample.gone());
        json.writeNumberField("medianMillis", sample.medianMillis());
        json.writeNumberField("slowMillis", sample.slowMillis());
    }
}
