package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The directives of a {@code Cache-Control} field, RFC 9111 section 5.2, or of {@code
 * CDN-Cache-Control}, RFC 9213. Of one that stands twice the first counts.
 */
final class Directives {
    /** RFC 9111 section 1.2.2: as long as anybody can mean. */
    static final long MOST = 1L << 31;

    private static final String TARGETED = "CDN-Cache-Control";

    private final Map<String, String> values = new HashMap<>();

    private Directives(@Nullable String field) {
        for (String item : Fields.list(field)) {
            int equals = item.indexOf('=');
            String name = equals < 0 ? item : item.substring(0, equals);
            String value = equals < 0 ? "" : item.substring(equals + 1).strip();
            values.putIfAbsent(name.strip().toLowerCase(Locale.ROOT), unquoted(value));
        }
    }

    /** Reads what a client asks for. */
    static Directives ofRequest(List<HeaderField> fields) {
        String field = Fields.all(fields, "Cache-Control");
        String pragma = Fields.all(fields, "Pragma");
        boolean old = field == null && pragma != null && pragma.contains("no-cache");
        return new Directives(old ? "no-cache" : field);
    }

    /** Reads what an answer says to caches that stand before its origin. */
    static Directives ofAnswer(List<HeaderField> fields) {
        String targeted = Fields.all(fields, TARGETED);
        return new Directives(isTargeted(fields) ? targeted : Fields.all(fields, "Cache-Control"));
    }

    /**
     * Says whether {@code Cache-Control} and {@code Expires} are for others: RFC 9213 section 2.1.
     */
    static boolean isTargeted(List<HeaderField> fields) {
        return !Fields.list(Fields.all(fields, TARGETED)).isEmpty();
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** Says whether it stands there without a value. */
    boolean isBare(String name) {
        return "".equals(values.get(name));
    }

    /** Returns seconds; -1 when it is not there, 0 when it is no number: then nothing is fresh. */
    long seconds(String name) {
        String value = values.get(name);
        if (value == null) {
            return -1;
        }
        if (value.isEmpty() || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return 0;
        }
        return value.length() > 10 ? MOST : Math.min(MOST, Long.parseLong(value));
    }
}
