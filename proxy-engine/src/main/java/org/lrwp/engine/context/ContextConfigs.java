package org.lrwp.engine.context;

import java.util.Map;
import java.util.Objects;

/**
 * The limits of all contexts.
 *
 * @param defaults for contexts that configuration does not name
 * @param named by context as users write it, for example {@code /osp}, {@code .ext} or {@code /}
 */
public record ContextConfigs(ContextConfig defaults, Map<String, ContextConfig> named) {
    /** Checks and copies. */
    public ContextConfigs {
        Objects.requireNonNull(defaults, "defaults");
        named = Map.copyOf(named);
    }

    /**
     * Returns the limits of one context.
     *
     * @param context as users write it
     * @return its own or the defaults
     */
    public ContextConfig of(String context) {
        return named.getOrDefault(context, defaults);
    }
}
