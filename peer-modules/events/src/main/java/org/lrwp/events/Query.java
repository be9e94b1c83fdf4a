package org.lrwp.events;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The parameters of a request. Immutable. */
final class Query {
    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /** Reads a query; the first of several equal names counts. */
    static Query parse(String query) {
        Map<String, String> values = new HashMap<>();
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : part.substring(equals + 1);
            values.putIfAbsent(decoded(name), decoded(value));
        }
        return new Query(Map.copyOf(values));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** A value; empty when there is none. */
    String value(String name) {
        return values.getOrDefault(name, "");
    }
}
