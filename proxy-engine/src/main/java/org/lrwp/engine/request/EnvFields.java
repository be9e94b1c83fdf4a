package org.lrwp.engine.request;

import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.HopByHopFields;
import org.lrwp.protocol.MalformedFrameException;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The header fields of a request as {@code HTTP_*}. Left out: fields that end at this hop, {@code
 * Proxy} (it would become HTTP_PROXY), names that could be taken for another one once {@code -} is
 * {@code _}, and forwarding fields from whom they are not believed. A trusted proxy's forwarding
 * fields stay, even when {@code Connection} names them.
 *
 * @param head the request
 * @param trusted whether its forwarding fields are believed
 * @param id the request id, in place of any that the client sent
 */
record EnvFields(RequestHead head, boolean trusted, String id) {
    /** Fields that are told by variables of their own. */
    private static final Set<String> ELSEWHERE = Set.of("content-length", "x-request-id");

    void addTo(EnvBlockWriter block) throws MalformedFrameException {
        Set<String> hopByHop = HopByHopFields.names(head.values("Connection"));
        Map<String, String> joined = new LinkedHashMap<>();
        for (HeaderField field : head.fields()) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (isPassed(name, hopByHop)) {
                String separator = name.equals("cookie") ? "; " : ", ";
                joined.merge(name, field.value(), (a, b) -> a + separator + b);
            }
        }
        for (Map.Entry<String, String> entry : joined.entrySet()) {
            block.add(variable(entry.getKey()), entry.getValue());
        }
        block.add("HTTP_X_REQUEST_ID", id);
    }

    private boolean isPassed(String name, Set<String> hopByHop) {
        if (name.equals("proxy") || ELSEWHERE.contains(name) || !isPlain(name)) {
            return false;
        }
        if (name.equals("forwarded") || name.startsWith("x-forwarded-")) {
            return trusted;
        }
        return !hopByHop.contains(name);
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

    private static String variable(String name) {
        return "HTTP_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
