package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Where values come from at the start; a later place wins.
 *
 * @param defaults what stands in for the defaults of the keys
 * @param file the file; null for none
 * @param format how the file is written
 * @param start what the command line sets, or the environment, or the proxy's configuration
 */
public record Sources(
        Map<String, Setting> defaults,
        @Nullable Path file,
        FileFormat format,
        Map<String, Setting> start) {
    /** Checks and copies. */
    public Sources {
        defaults = Map.copyOf(defaults);
        Objects.requireNonNull(format, "format");
        start = Map.copyOf(start);
    }
}
