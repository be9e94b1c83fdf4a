package org.lrwp.systemtests.harness;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;

import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;

/** The status page as it was at one moment. */
public final class StatusPage {
    private final JsonObject page;

    private StatusPage(JsonObject page) {
        this.page = page;
    }

    static StatusPage of(ProxyProcess proxy) throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            HttpAnswer answer = client.get("/-/status", "Connection: close");
            if (answer.status() != 200) {
                throw new AssertionError("no status page: " + answer);
            }
            try (JsonReader reader = Json.createReader(new StringReader(answer.text()))) {
                return new StatusPage(reader.readObject());
            }
        }
    }

    /** The page. */
    public JsonObject page() {
        return page;
    }

    /** What is said of a context for every host. */
    public Optional<JsonObject> context(String name) {
        return contexts().stream()
                .map(JsonValue::asJsonObject)
                .filter(context -> context.getString("context").equals(name))
                .findFirst();
    }

    /** A number of a context; 0 when the context is not known. */
    public int number(String context, String key) {
        return context(context).map(found -> found.getInt(key)).orElse(0);
    }

    /** A count of a context's outcomes. */
    public long outcomes(String context, String word) {
        return context(context)
                .map(found -> found.getJsonObject("outcomes").getInt(word, 0))
                .orElse(0);
    }

    /** Requests of all contexts that wait. */
    public int waiting() {
        return sum("waiting");
    }

    /** Slots of all contexts that have a request. */
    public int busy() {
        return sum("busy");
    }

    /** Requests in flight. */
    public int inFlight() {
        return page.getJsonArray("exchanges").size();
    }

    /** Connections of peers. */
    public int peers() {
        return page.getJsonArray("peers").size();
    }

    /** Bytes of bodies in memory and in files. */
    public long spooled() {
        return page.getJsonNumber("spoolMemory").longValue()
                + page.getJsonNumber("spoolDisk").longValue();
    }

    private int sum(String key) {
        return contexts().stream().mapToInt(value -> value.asJsonObject().getInt(key)).sum();
    }

    private JsonArray contexts() {
        return page.getJsonArray("contexts");
    }

    @Override
    public String toString() {
        return page.toString();
    }
}
