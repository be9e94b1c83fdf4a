package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.util.Locale;
import java.util.Map;

/** A request as it came in a frame. */
final class FrameRequest implements PeerRequest {
    private final Map<String, String> environment;
    private final long bodyLength;
    private final BodyInputStream body;

    FrameRequest(Map<String, String> environment, long bodyLength, BodyInputStream body) {
        this.environment = environment;
        this.bodyLength = bodyLength;
        this.body = body;
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public String method() {
        return environment.getOrDefault("REQUEST_METHOD", "GET");
    }

    @Override
    public String pathInfo() {
        return environment.getOrDefault("PATH_INFO", "");
    }

    @Override
    public String query() {
        return environment.getOrDefault("QUERY_STRING", "");
    }

    @Override
    public @Nullable String header(String name) {
        String variable = name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        String value = environment.get("HTTP_" + variable);
        if (value == null
                && (variable.equals("CONTENT_TYPE") || variable.equals("CONTENT_LENGTH"))) {
            // CGI names these two without prefix, and sends them empty when there is no body.
            String plain = environment.get(variable);
            return plain == null || plain.isEmpty() ? null : plain;
        }
        return value;
    }

    @Override
    public long bodyLength() {
        return bodyLength;
    }

    @Override
    public InputStream body() {
        return body;
    }

    BodyInputStream octets() {
        return body;
    }
}
