package org.lrwp.engine.request;

import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.protocol.HopByHopFields;

import java.util.Locale;
import java.util.Set;

/**
 * What becomes of a request's field of some name. For the names that clients send often it is
 * worked out, and the variable encoded, once.
 *
 * @param kind whether it is passed on
 * @param variable its name in the env block with the {@code =}; nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // Rules are never compared.
record FieldRule(Kind kind, byte[] variable) {
    /** Whether a field is passed on to a peer. */
    enum Kind {
        /** Unless the connection names it as its own. */
        PLAIN,
        /** The same, unless the proxy has a span of its own. */
        TRACE,
        /** If it comes from a proxy that is trusted. */
        FORWARDED,
        /** Never. */
        DROPPED
    }

    private static final Set<String> ELSEWHERE = Set.of("proxy", "content-length", "x-request-id");
    private static final Set<String> TRACES = Set.of("traceparent", "tracestate");
    private static final String FORWARDED = "x-forwarded-";
    private static final byte[] PREFIX = Latin.bytes("HTTP_");
    private static final byte[] NONE = {};
    private static final FieldRule[] KNOWN = known();

    private static FieldRule[] known() {
        KnownField[] fields = KnownField.values();
        var rules = new FieldRule[fields.length];
        for (KnownField one : fields) {
            String name = one.lower();
            String variable = name.replace('-', '_').toUpperCase(Locale.ROOT) + "=";
            rules[one.number()] = new FieldRule(kind(name), Latin.bytes("HTTP_" + variable));
        }
        return rules;
    }

    private static Kind kind(String lower) {
        if (ELSEWHERE.contains(lower) || HopByHopFields.ALWAYS.contains(lower)) {
            return Kind.DROPPED;
        }
        if (TRACES.contains(lower)) {
            return Kind.TRACE;
        }
        return isForwarding(lower) ? Kind.FORWARDED : Kind.PLAIN;
    }

    /** The rule of a field of a head. */
    static FieldRule of(HttpHead head, int index) {
        KnownField known = head.known(index);
        return known == null ? of(head.bytes(), head.name(index)) : KNOWN[known.number()];
    }

    /** The rule of a name that is not known. */
    private static FieldRule of(byte[] source, int name) {
        int from = HttpHead.start(name);
        int length = HttpHead.end(name) - from;
        byte[] variable = new byte[PREFIX.length + length + 1];
        System.arraycopy(PREFIX, 0, variable, 0, PREFIX.length);
        for (int i = 0; i < length; i++) {
            byte c = source[from + i];
            boolean small = c >= 'a' && c <= 'z';
            boolean plain = small || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
            if (!plain) {
                return new FieldRule(Kind.DROPPED, NONE);
            }
            byte upper = small ? (byte) (c - 'a' + 'A') : c;
            variable[PREFIX.length + i] = c == '-' ? (byte) '_' : upper;
        }
        variable[variable.length - 1] = '=';
        // Fixed names of this hop are all known ones.
        Kind kind = isForwarding(source, name) ? Kind.FORWARDED : Kind.PLAIN;
        return new FieldRule(kind, variable);
    }

    /** Whether a name, in lower case, is that of a forwarding field. */
    static boolean isForwarding(String lower) {
        return lower.equals("forwarded") || lower.startsWith(FORWARDED);
    }

    /** Whether a field of a head is a forwarding one. */
    static boolean isForwarding(HttpHead head, int index) {
        KnownField known = head.known(index);
        return known == null
                ? isForwarding(head.bytes(), head.name(index))
                : KNOWN[known.number()].kind == Kind.FORWARDED;
    }

    /** Whether a name that is not known is that of a forwarding field. */
    private static boolean isForwarding(byte[] source, int name) {
        int from = HttpHead.start(name);
        if (HttpHead.end(name) - from <= FORWARDED.length()) {
            return false;
        }
        for (int i = 0; i < FORWARDED.length(); i++) {
            // Of the characters of names, no other becomes '-' or a letter of it in this way.
            if ((source[from + i] | 0x20) != FORWARDED.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
