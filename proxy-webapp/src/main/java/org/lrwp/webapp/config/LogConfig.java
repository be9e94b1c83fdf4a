package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.Rotation;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A log of the proxy: access log or audit log.
 *
 * @param enabled whether there is one
 * @param json whether its lines are JSON
 * @param file where it is appended; null = the container's log
 * @param rotation when the file rotates
 * @param queueLength lines that wait to be written, at least 1; above it they are dropped and
 *     counted
 */
public record LogConfig(
        boolean enabled, boolean json, @Nullable Path file, Rotation rotation, int queueLength) {
    /** Checks the length. */
    public LogConfig {
        Objects.requireNonNull(rotation, "rotation");
        if (queueLength < 1) {
            throw new IllegalArgumentException("queueLength " + queueLength + " is below 1");
        }
    }
}
