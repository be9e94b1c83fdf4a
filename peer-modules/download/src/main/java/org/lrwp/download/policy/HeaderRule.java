package org.lrwp.download.policy;

import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.sdk.RequestHead;

/**
 * A header that a request has to have.
 *
 * @param name its name; empty for no rule
 * @param value what it has to be; {@code *} for anything
 */
public record HeaderRule(String name, String value) {
    /** As users write it. */
    static final ValueType<HeaderRule> TYPE =
            new ValueType<>("a header as X-Plan: gold, or X-Plan: *", HeaderRule::parse);

    /** A text that can be the value of a header. */
    static final ValueType<String> VALUE =
            new ValueType<>(
                    "the value of a header",
                    text -> {
                        if (!HeaderField.isValue(text)) {
                            throw new IllegalArgumentException(text);
                        }
                        return text;
                    });

    private static HeaderRule parse(String text) {
        if (text.isEmpty()) {
            return new HeaderRule("", "");
        }
        int colon = text.indexOf(':');
        String name = text.substring(0, Math.max(0, colon)).strip();
        if (!HeaderField.isToken(name)) {
            throw new IllegalArgumentException(text);
        }
        return new HeaderRule(name, text.substring(colon + 1).strip());
    }

    boolean fits(RequestHead request) {
        if (name.isEmpty()) {
            return true;
        }
        String found = request.header(name);
        return found != null && (value.equals("*") || found.strip().equals(value));
    }
}
