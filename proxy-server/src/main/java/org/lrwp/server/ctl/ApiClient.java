package org.lrwp.server.ctl;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import javax.net.ssl.SSLContext;

/** Sends requests to the runtime API. Blocks. */
final class ApiClient implements AutoCloseable {
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final String HEAD = "/-/api/v1/";

    /** What a client of HTTP is told at the port for peers: docs/protocol.md section 3. */
    private static final String OF_PEERS = "This port is for LRWP peers";

    private final HttpClient client;
    private final String url;
    private final @Nullable Path tokenFile;

    /** An answer: its text, and the same as JSON. */
    record Reply(int status, String text, JsonObject json) {
        boolean isDone() {
            return status == 200;
        }
    }

    /** Without a context TLS is that of the JDK, with the authorities that it knows. */
    ApiClient(String url, @Nullable Path tokenFile, @Nullable SSLContext tls) {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.tokenFile = tokenFile;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIME);
        if (tls != null) {
            builder.sslContext(tls);
        }
        client = builder.build();
    }

    /** A name within a path. */
    static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/")
                .replace("%3A", ":");
    }

    Reply send(String method, String path, @Nullable JsonObject body)
            throws UsageException, IOException, InterruptedException {
        HttpRequest.Builder request = builder(path).timeout(TIME);
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body.toString()));
        }
        if (tokenFile != null) {
            request.header("Authorization", "Bearer " + token(tokenFile));
        }
        HttpResponse<String> answer =
                client.send(
                        request.header("Accept", "application/json").build(),
                        HttpResponse.BodyHandlers.ofString());
        return reply(answer.statusCode(), answer.body());
    }

    private HttpRequest.Builder builder(String path) throws UsageException {
        try {
            return HttpRequest.newBuilder(URI.create(url + HEAD + path));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--url " + url + " is not a URL as http://127.0.0.1:1080");
        }
    }

    private static String token(Path file) throws UsageException {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UsageException("--token-file " + file + " cannot be read");
        }
    }

    private static Reply reply(int status, String text) throws IOException {
        try (var reader = Json.createReader(new StringReader(text))) {
            return new Reply(status, text, reader.readObject());
        } catch (JsonException e) {
            throw new IOException(
                    text.startsWith(OF_PEERS)
                            ? "that is the port for peers, not the HTTP port"
                            : "what answers there has no runtime API (status " + status + ")",
                    e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
