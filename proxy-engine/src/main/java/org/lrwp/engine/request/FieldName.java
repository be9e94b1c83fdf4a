package org.lrwp.engine.request;

import org.lrwp.protocol.HopByHopFields;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What becomes of a request's field of some name; worked out once for the names that are used.
 *
 * @param kind whether it is passed on
 * @param lower the name in lower case
 * @param variable its name in the env block
 */
record FieldName(Kind kind, String lower, String variable) {
    /** Whether a field is passed on to a peer. */
    enum Kind {
        /** Unless the connection names it as its own. */
        PLAIN,
        /** If it comes from a proxy that is trusted. */
        FORWARDED,
        /** Never. */
        DROPPED
    }

    /** Clients choose the names, so not all can be kept. */
    private static final int MOST_KEPT = 512;

    private static final int LONGEST_KEPT = 64;
    private static final Set<String> ELSEWHERE = Set.of("proxy", "content-length", "x-request-id");
    private static final Map<String, FieldName> KEPT = new ConcurrentHashMap<>();

    static FieldName of(String name) {
        FieldName known = KEPT.get(name);
        if (known != null) {
            return known;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        String variable = "HTTP_" + lower.replace('-', '_').toUpperCase(Locale.ROOT);
        FieldName fresh = new FieldName(kind(lower), lower, variable);
        if (name.length() <= LONGEST_KEPT && KEPT.size() < MOST_KEPT) {
            KEPT.put(name, fresh);
        }
        return fresh;
    }

    private static Kind kind(String lower) {
        if (ELSEWHERE.contains(lower) || !isPlain(lower)) {
            return Kind.DROPPED;
        }
        if (lower.equals("forwarded") || lower.startsWith("x-forwarded-")) {
            return Kind.FORWARDED;
        }
        return HopByHopFields.ALWAYS.contains(lower) ? Kind.DROPPED : Kind.PLAIN;
    }

    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) {
                return false;
            }
        }
        return true;
    }
}
