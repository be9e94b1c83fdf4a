package org.lrwp.runtime.operation;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.json.Json;
import org.lrwp.runtime.module.Figure;

import java.io.IOException;
import java.util.List;

/** What runtime APIs say of values, figures and commands, the same everywhere. Thread-safe. */
public final class ValueJson {
    private ValueJson() {}

    /**
     * Writes values.
     *
     * @param entries the values
     * @return an object with the array {@code values}
     */
    public static String values(List<Entry> entries) {
        return Json.object(json -> Json.objects(json, "values", entries, ValueJson::write));
    }

    /**
     * Writes a value.
     *
     * @param entry the value
     * @return an object
     */
    public static String value(Entry entry) {
        return Json.object(json -> write(json, entry));
    }

    private static void write(JsonGenerator json, Entry entry) throws IOException {
        json.writeStringField("name", entry.name());
        json.writeStringField("value", entry.text());
        json.writeStringField("origin", entry.origin().toString());
        json.writeBooleanField("live", entry.live());
        json.writeBooleanField("passing", entry.origin().isPassing());
        json.writeStringField("allowed", entry.allowed());
        json.writeStringField("meaning", entry.meaning());
    }

    /**
     * Writes the member {@code figures}: an object of numbers.
     *
     * @param json an object that has begun
     * @param figures in their order
     * @throws IOException when the generator cannot write
     */
    public static void figures(JsonGenerator json, List<Figure> figures) throws IOException {
        json.writeObjectFieldStart("figures");
        for (Figure figure : figures) {
            Json.number(json, figure.name(), figure.value());
        }
        json.writeEndObject();
    }

    /**
     * Writes what was done.
     *
     * @param sentence for people
     * @return an object
     */
    public static String done(String sentence) {
        return Json.object(json -> json.writeStringField("done", sentence));
    }

    /**
     * Writes why something was not done: RFC 9457.
     *
     * @param status HTTP status
     * @param detail a sentence for people
     * @return an object of {@code application/problem+json}
     */
    public static String problem(int status, String detail) {
        return Json.object(
                json -> {
                    json.writeStringField("type", "about:blank");
                    json.writeStringField("title", title(status));
                    json.writeNumberField("status", status);
                    json.writeStringField("detail", detail);
                });
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 415 -> "Unsupported Media Type";
            case 429 -> "Too Many Requests";
            default -> "Internal Server Error";
        };
    }
}
