package org.lrwp.webapp.steering;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.cluster.ClusterStatus;
import org.lrwp.runtime.json.Json;

import java.io.IOException;
import java.util.Locale;

/** The view of the cluster as JSON, as {@code openapi.json} describes it. */
final class ClusterJson {
    private ClusterJson() {}

    static String text(ClusterStatus status) {
        return Json.object(
                json -> {
                    json.writeBooleanField("enabled", status.enabled());
                    json.writeStringField("name", status.cluster());
                    json.writeStringField("node", status.node());
                    json.writeBooleanField("connected", status.connected());
                    json.writeStringField("reason", status.reason());
                    json.writeNumberField("sinceMillis", status.sinceMillis());
                    Json.numbers(json, "figures", status.figures());
                    Json.objects(json, "nodes", status.nodes(), ClusterJson::node);
                });
    }

    private static void node(JsonGenerator json, ClusterStatus.Node node) throws IOException {
        json.writeStringField("name", node.name());
        json.writeStringField("state", node.state().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("ageMillis", node.ageMillis());
        json.writeStringField("version", node.version());
        json.writeNumberField("epoch", node.epoch());
        json.writeBooleanField("draining", node.draining());
        json.writeNumberField("slots", node.slots());
        json.writeNumberField("free", node.free());
        json.writeNumberField("waiting", node.waiting());
        json.writeNumberField("away", node.away());
        Json.objects(json, "contexts", node.contexts(), ClusterJson::context);
    }

    private static void context(JsonGenerator json, ClusterStatus.Context context)
            throws IOException {
        json.writeStringField("context", context.context());
        json.writeStringField("virtualHost", context.virtualHost());
        json.writeNumberField("slots", context.slots());
        json.writeNumberField("free", context.free());
        json.writeNumberField("waiting", context.waiting());
    }
}
