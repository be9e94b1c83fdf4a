package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Map;

/**
 * The head of a request out of its env block.
 *
 * @param environment CGI variables
 * @param bodyLength octets of the body, -1 when unknown
 */
record EnvironmentHead(Map<String, String> environment, long bodyLength) implements RequestHead {
    static final long UNKNOWN = -1;

    /** Returns a head whose body has the length that the env block says, if it says one. */
    static EnvironmentHead of(Map<String, String> environment) {
        String length = environment.getOrDefault("CONTENT_LENGTH", "");
        boolean number =
                !length.isEmpty()
                        && length.length() <= 18
                        && length.chars().allMatch(c -> c >= '0' && c <= '9');
        return new EnvironmentHead(environment, number ? Long.parseLong(length) : UNKNOWN);
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
}
