package org.lrwp.webapp.config;

import java.util.Set;

/**
 * What holds for all that the inspector keeps.
 *
 * @param memory bytes of all of it
 * @param masked names in lower case of fields and parameters whose values are not kept
 */
public record InspectorConfig(long memory, Set<String> masked) {
    /** Nothing is kept. */
    public static final InspectorConfig NONE = new InspectorConfig(0, Set.of());

    /** Copies. */
    public InspectorConfig {
        masked = Set.copyOf(masked);
    }
}
