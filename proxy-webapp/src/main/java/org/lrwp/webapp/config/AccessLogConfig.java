package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/**
 * The access log.
 *
 * @param enabled whether there is one
 * @param json whether its lines are JSON
 * @param file where it is appended; null = the container's log
 * @param queueLength lines that wait to be written, at least 1; above it they are dropped and
 *     counted
 */
public record AccessLogConfig(boolean enabled, boolean json, @Nullable Path file, int queueLength) {
    /** Checks the length. */
    public AccessLogConfig {
        if (queueLength < 1) {
            throw new IllegalArgumentException("queueLength " + queueLength + " is below 1");
        }
    }
}
