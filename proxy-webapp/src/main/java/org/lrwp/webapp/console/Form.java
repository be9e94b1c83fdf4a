package org.lrwp.webapp.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads the body of a form: {@code application/x-www-form-urlencoded}. */
final class Form {
    private final Map<String, String> values = new HashMap<>();

    private Form() {}

    /** Reads what a browser has sent; what cannot be decoded is left out. */
    static Form read(byte[] body) {
        return read(new String(body, StandardCharsets.UTF_8));
    }

    /** The same for a query of a URL. */
    static Form read(String text) {
        var form = new Form();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                form.add(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return form;
    }

    private void add(String name, String value) {
        try {
            values.putIfAbsent(decoded(name), decoded(value));
        } catch (IllegalArgumentException broken) {
            // As if it had not been sent.
            return;
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The value of a field; empty when there is none. */
    String get(String name) {
        return values.getOrDefault(name, "");
    }
}
