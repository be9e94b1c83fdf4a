package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Who may act on the pages under {@code /-/}.
 *
 * @param tokenFile file with the token; null when nobody may
 * @param sessionTime how long a browser stays logged in
 */
public record AdminConfig(@Nullable Path tokenFile, Duration sessionTime) {
    /** Checks that nothing is missing. */
    public AdminConfig {
        Objects.requireNonNull(sessionTime, "sessionTime");
    }
}
