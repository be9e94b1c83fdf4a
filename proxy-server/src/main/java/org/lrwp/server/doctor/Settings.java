package org.lrwp.server.doctor;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.nio.file.Path;
import java.util.Map;

/**
 * The values of the configuration, as they are written.
 *
 * @param values by key; those that nobody has set with their default
 */
record Settings(Map<String, String> values) {
    private static final ValueType<Long> BYTES = ValueTypes.size(0, Long.MAX_VALUE);

    Settings {
        values = Map.copyOf(values);
    }

    String text(String key) {
        return values.getOrDefault(key, "").strip();
    }

    /** A number, or bytes with a unit; 0 when the value is neither. */
    long number(String key) {
        try {
            return BYTES.parse(text(key));
        } catch (IllegalArgumentException neither) {
            return 0;
        }
    }

    /** A file or folder; null when the value is empty. */
    @Nullable Path path(String key) {
        String text = text(key);
        return text.isEmpty() ? null : Path.of(text).toAbsolutePath();
    }
}
