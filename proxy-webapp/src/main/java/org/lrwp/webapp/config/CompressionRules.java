package org.lrwp.webapp.config;

import java.util.List;
import java.util.Set;

/**
 * Which answers of one context are compressed.
 *
 * @param codings how, the best first; empty = not at all
 * @param least bytes of a body that is compressed; one of unknown length always is
 * @param types media types in lower case; those that end with {@code /*} stand for a group
 */
public record CompressionRules(List<Coding> codings, long least, Set<String> types) {
    /** None is. */
    public static final CompressionRules NONE = new CompressionRules(List.of(), 0, Set.of());

    /** Checks and copies. */
    public CompressionRules {
        codings = List.copyOf(codings);
        types = Set.copyOf(types);
        if (least < 0) {
            throw new IllegalArgumentException("least " + least);
        }
    }

    /**
     * Says whether any answer is compressed.
     *
     * @return whether there is a coding
     */
    public boolean isOn() {
        return !codings.isEmpty();
    }

    /**
     * Says whether answers of a type are compressed.
     *
     * @param type a media type in lower case, without parameters
     * @return whether it is one of them
     */
    public boolean hasType(String type) {
        int slash = type.indexOf('/');
        return types.contains(type)
                || (slash > 0 && types.contains(type.substring(0, slash + 1) + "*"));
    }
}
