package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.Rotation;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A log of the proxy: access log, slow log or audit log.
 *
 * @param enabled whether there is one
 * @param form how its lines look
 * @param file where it is appended; null = the container's log, {@link #STANDARD_OUTPUT} = there
 * @param rotation when the file rotates
 * @param queueLength lines that wait to be written, at least 1; above it they are dropped and
 *     counted
 */
public record LogConfig(
        boolean enabled, LogForm form, @Nullable Path file, Rotation rotation, int queueLength) {
    /** The name of standard output in the place of a file's. */
    public static final Path STANDARD_OUTPUT = Path.of("-");

    /** Checks the length. */
    public LogConfig {
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(rotation, "rotation");
        if (queueLength < 1) {
            throw new IllegalArgumentException("queueLength " + queueLength + " is below 1");
        }
    }

    /**
     * Says whether lines are JSON.
     *
     * @return whether each is an object
     */
    public boolean json() {
        return form == LogForm.JSON;
    }

    /**
     * Says whether lines go to standard output.
     *
     * @return whether they do
     */
    public boolean isStandardOutput() {
        return STANDARD_OUTPUT.equals(file);
    }
}
