package org.lrwp.runtime.operation;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.json.Json;
import org.lrwp.runtime.module.Figure;

import java.io.IOException;
import java.util.List;

/** Writes the few JSON texts of the admin endpoint: nothing is ever read here. */
final class JsonText {
    private JsonText() {}

    static String status(Operated subject) {
        return Json.object(
                json -> {
                    json.writeStringField("name", subject.name());
                    json.writeStringField("type", subject.type());
                    json.writeObjectFieldStart("figures");
                    for (Figure figure : subject.figures()) {
                        Json.number(json, figure.name(), figure.value());
                    }
                    json.writeEndObject();
                    json.writeStringField("refusal", subject.configuration().refusal());
                    json.writeFieldName("configuration");
                    write(json, subject.configuration().values().entries());
                });
    }

    static String entries(List<Entry> entries) {
        return Json.text(json -> write(json, entries));
    }

    static String entry(Entry entry) {
        return Json.text(json -> write(json, entry));
    }

    private static void write(JsonGenerator json, List<Entry> entries) throws IOException {
        json.writeStartArray();
        for (Entry entry : entries) {
            write(json, entry);
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, Entry entry) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", entry.name());
        json.writeStringField("value", entry.text());
        json.writeStringField("origin", entry.origin().toString());
        json.writeBooleanField("live", entry.live());
        json.writeStringField("allowed", entry.allowed());
        json.writeStringField("meaning", entry.meaning());
        json.writeEndObject();
    }
}
