package org.lrwp.server.doctor;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Map;

/**
 * The values of the configuration, as they are written.
 *
 * @param values by key; those that nobody has set with their default
 */
record Settings(Map<String, String> values) {
    private static final Map<String, Long> UNITS =
            Map.of(
                    "",
                    1L,
                    "KB",
                    1_000L,
                    "MB",
                    1_000_000L,
                    "GB",
                    1_000_000_000L,
                    "KiB",
                    1L << 10,
                    "MiB",
                    1L << 20,
                    "GiB",
                    1L << 30);

    Settings {
        values = Map.copyOf(values);
    }

    String text(String key) {
        return values.getOrDefault(key, "").strip();
    }

    /** A number, or bytes with a unit; 0 when the value is neither. */
    long number(String key) {
        String text = text(key);
        int end = 0;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        Long unit = UNITS.get(text.substring(end).strip());
        return end == 0 || unit == null ? 0 : Long.parseLong(text.substring(0, end)) * unit;
    }

    /** A file or folder; null when the value is empty. */
    @Nullable Path path(String key) {
        String text = text(key);
        return text.isEmpty() ? null : Path.of(text).toAbsolutePath();
    }
}
