package org.lrwp.webapp.steering;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.json.Json;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.inspector.Part;

import java.io.IOException;
import java.util.List;

/** What the inspector keeps as JSON, as {@code openapi.json} describes it. */
final class InspectorJson {
    private static final double NANOS_PER_MILLI = 1e6;

    private InspectorJson() {}

    static String all(List<Inspection> kept) {
        return Json.object(json -> Json.objects(json, "inspector", kept, InspectorJson::summary));
    }

    static String one(Inspection one) {
        return Json.object(
                json -> {
                    summary(json, one);
                    json.writeStringField("protocol", one.protocol());
                    fields(json, "fields", one.fields());
                    part(json, "body", one.body());
                    fields(json, "answerFields", one.answerFields());
                    part(json, "answerBody", one.answerBody());
                });
    }

    private static void summary(JsonGenerator json, Inspection one) throws IOException {
        json.writeStringField("time", one.time().toString());
        json.writeStringField("id", one.id());
        json.writeStringField("context", one.context());
        json.writeStringField("client", one.client());
        json.writeStringField("method", one.method());
        json.writeStringField("path", one.target());
        json.writeStringField("repeats", one.repeats());
        ExchangeRecord end = one.end();
        if (end != null) {
            json.writeNumberField("status", end.status());
            json.writeStringField("reason", end.reason());
            json.writeStringField("peer", end.peer());
            json.writeNumberField("totalMillis", end.totalNanos() / NANOS_PER_MILLI);
        }
    }

    private static void fields(JsonGenerator json, String name, List<HeaderField> fields)
            throws IOException {
        Json.texts(
                json,
                name,
                fields.stream().map(field -> field.name() + ": " + field.value()).toList());
    }

    private static void part(JsonGenerator json, String name, Part part) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("length", part.length());
        json.writeBooleanField("whole", part.isWhole());
        json.writeStringField("text", part.text());
        json.writeEndObject();
    }
}
