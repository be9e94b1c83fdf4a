package org.lrwp.runtime.configuration;

import java.util.List;

/**
 * All that can be set of a program or module.
 *
 * @param keys the keys, in the order of help and docs
 * @param rules what must hold between their values
 */
public record Schema(List<Key<?>> keys, List<Rule> rules) {
    /** Copies. */
    public Schema {
        keys = List.copyOf(keys);
        rules = List.copyOf(rules);
    }

    /**
     * Returns keys whose values have nothing to do with each other.
     *
     * @param keys the keys
     * @return a schema without rules
     */
    public static Schema of(List<Key<?>> keys) {
        return new Schema(keys, List.of());
    }
}
