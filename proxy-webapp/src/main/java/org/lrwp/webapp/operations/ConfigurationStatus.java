package org.lrwp.webapp.operations;

import java.util.List;
import java.util.Objects;

/**
 * A picture of the configuration.
 *
 * @param file the watched file; empty when there is none
 * @param refusal why the file as it is now is not in use; empty when it is
 * @param waiting names of settings in the file that take effect at the next start
 */
public record ConfigurationStatus(String file, String refusal, List<String> waiting) {
    /** Checks and copies. */
    public ConfigurationStatus {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(refusal, "refusal");
        waiting = List.copyOf(waiting);
    }
}
