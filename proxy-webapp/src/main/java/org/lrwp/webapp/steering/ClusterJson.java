package org.lrwp.webapp.steering;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.cluster.ClusterStatus;
import org.lrwp.runtime.json.Json;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;

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
                    json.writeObjectFieldStart("figures");
                    for (Map.Entry<String, Long> one : status.figures().entrySet()) {
                        json.writeNumberField(one.getKey(), one.getValue());
                    }
                    json.writeEndObject();
                    json.writeArrayFieldStart("nodes");
                    for (ClusterStatus.Node node : status.nodes()) {
                        node(json, node);
                    }
                    json.writeEndArray();
                });
    }

    private static void node(JsonGenerator json, ClusterStatus.Node node) throws IOException {
        json.writeStartObject();
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
        json.writeArrayFieldStart("contexts");
        for (ClusterStatus.Context context : node.contexts()) {
            json.writeStartObject();
            json.writeStringField("context", context.context());
            json.writeStringField("virtualHost", context.virtualHost());
            json.writeNumberField("slots", context.slots());
            json.writeNumberField("free", context.free());
            json.writeNumberField("waiting", context.waiting());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
