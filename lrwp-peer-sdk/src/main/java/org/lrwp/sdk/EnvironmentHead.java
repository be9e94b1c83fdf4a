package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.ContentLength;

import java.util.Map;

/**
 * The head of a request out of its env block.
 *
 * @param environment CGI variables
 * @param bodyLength bytes of the body, {@link ContentLength#UNKNOWN} when nobody knows it yet
 */
record EnvironmentHead(Map<String, String> environment, long bodyLength) implements RequestHead {
    private static final String PREFIX = "HTTP_";

    /** Returns a head whose body has the length that the env block says, if it says one. */
    static EnvironmentHead of(Map<String, String> environment) {
        return new EnvironmentHead(
                environment, ContentLength.parse(environment.getOrDefault("CONTENT_LENGTH", "")));
    }

    /** Looks a header up; null when it was not sent. */
    static @Nullable String header(Map<String, String> environment, String name) {
        String variable = variableOf(name);
        String value = environment.get(variable);
        if (value == null
                && (variable.equals("HTTP_CONTENT_TYPE")
                        || variable.equals("HTTP_CONTENT_LENGTH"))) {
            // CGI names these two without prefix, and sends them empty when there is no body.
            String plain = environment.get(variable.substring(PREFIX.length()));
            return plain == null || plain.isEmpty() ? null : plain;
        }
        return value;
    }

    /** {@code If-None-Match} in an env block: {@code HTTP_IF_NONE_MATCH}. */
    private static String variableOf(String name) {
        StringBuilder variable = new StringBuilder(PREFIX.length() + name.length()).append(PREFIX);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'a' && c <= 'z') {
                variable.append((char) (c - 'a' + 'A'));
            } else {
                variable.append((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_');
            }
        }
        return variable.toString();
    }
}
