package org.lrwp.systemtests.harness;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;

import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The download module in one of the two places where it runs, as clients and operators reach it.
 *
 * @param context what it serves
 * @param httpPort of the proxy
 * @param pid of the process that it is in
 * @param adminPort its admin endpoint
 * @param file the file that it watches
 */
public record DownloadPlace(String context, int httpPort, long pid, int adminPort, Path file) {
    private static final String API = "/-/api/v1/";

    /** The token of the admin endpoint. */
    public static final String TOKEN = "a-token-of-32-characters-or-more";

    /** A client of it. */
    public RawHttp client() throws IOException {
        return RawHttp.to(httpPort);
    }

    /** Gets a path below its context. */
    public HttpAnswer get(String path) throws IOException {
        try (RawHttp client = client()) {
            return client.get(context + path);
        }
    }

    /** Sets a value by HTTP. */
    public HttpAnswer put(String key, String value, String token) throws IOException {
        return admin("PUT", key, "{\"value\":\"" + value + "\"}", token);
    }

    /** Sets a value by HTTP, as it should be done. */
    public void set(String key, String value) throws IOException {
        HttpAnswer answer = put(key, value, TOKEN);
        if (answer.status() != 200) {
            throw new AssertionError(key + " = " + value + ": " + answer);
        }
    }

    /** Takes back what was set by HTTP or a console. */
    public void reset(String key) throws IOException {
        admin("DELETE", key, "", TOKEN);
    }

    private HttpAnswer admin(String method, String key, String body, String token)
            throws IOException {
        try (RawHttp client = RawHttp.to(adminPort)) {
            client.send(
                    method,
                    API + "configuration/" + key,
                    Bytes.of(body),
                    "Content-Type: application/json",
                    "Authorization: Bearer " + token);
            return client.answer();
        }
    }

    /** What its runtime API says under a path. */
    public JsonObject page(String path) throws IOException {
        try (RawHttp client = RawHttp.to(adminPort);
                JsonReader reader =
                        Json.createReader(new StringReader(client.get(API + path).text()))) {
            return reader.readObject();
        }
    }

    /** A figure. */
    public long figure(String name) throws IOException {
        return page("status").getJsonObject("figures").getJsonNumber(name).longValue();
    }

    /** A value as it is now, with its origin behind it. */
    public String value(String key) throws IOException {
        JsonObject entry = page("configuration/" + key);
        return entry.getString("value") + ", " + entry.getString("origin");
    }

    /** Changes the file that it watches. */
    public void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    /** For the names of tests. */
    @Override
    public String toString() {
        return context;
    }
}
