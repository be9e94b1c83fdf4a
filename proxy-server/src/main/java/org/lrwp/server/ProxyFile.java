package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The proxy's configuration, as a file that lines are added to.
 *
 * @param file its path; it need not be there
 */
record ProxyFile(Path file) {
    private Properties read() throws IOException {
        var values = new Properties();
        if (Files.exists(file)) {
            try (Reader in = Files.newBufferedReader(file)) {
                values.load(in);
            } catch (IllegalArgumentException e) {
                throw new IOException(file + " cannot be read: " + e.getMessage(), e);
            }
        }
        return values;
    }

    /** What it says of a key; null for nothing. */
    @Nullable String value(String key) throws IOException {
        String value = read().getProperty(key);
        return value == null ? null : value.strip();
    }

    /** The keys that it sets and that begin so, in order. */
    List<String> keys(String beginning) throws IOException {
        return read().stringPropertyNames().stream()
                .filter(key -> key.startsWith(beginning))
                .sorted()
                .toList();
    }

    /** Whether a value that it may set names that file; true for a key that it does not set. */
    boolean names(String key, Path wanted) throws IOException {
        String set = value(key);
        if (set == null) {
            return true;
        }
        Path there = Path.of(set).toAbsolutePath().normalize();
        Path other = wanted.toAbsolutePath().normalize();
        return there.equals(other)
                || (Files.exists(there) && Files.exists(other) && Files.isSameFile(there, other));
    }

    /** Adds the values of keys that it does not set; returns the lines that were added. */
    String add(Map<String, String> wanted) throws IOException {
        Properties there = read();
        var lines = new StringBuilder();
        wanted.forEach(
                (key, value) -> {
                    if (!there.containsKey(key)) {
                        lines.append("%s = %s%n".formatted(key, value));
                    }
                });
        if (!lines.isEmpty()) {
            LineFile.append(file, lines.toString());
        }
        return lines.toString();
    }
}
