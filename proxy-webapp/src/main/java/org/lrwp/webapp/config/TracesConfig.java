package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * What becomes of the spans of requests.
 *
 * @param collector where they are sent
 * @param tokenFile file with the token that it wants; null for none
 * @param service the name under which they are there
 * @param ratio share of the traces that begin here and are sent, 0 to 1
 * @param continued whose traces go on here
 * @param queueLength spans that wait to be sent, at least 1; further ones are dropped
 * @param batch spans in one message, at least 1
 * @param delay how long a span waits for others
 * @param timeout how long the collector may take
 */
public record TracesConfig(
        URI collector,
        @Nullable Path tokenFile,
        String service,
        double ratio,
        Continued continued,
        int queueLength,
        int batch,
        Duration delay,
        Duration timeout) {
    /** Whose traces go on here. Those of others begin anew. */
    public enum Continued {
        /** Those of all clients. */
        ALL,
        /** Those that come from trusted proxies. */
        TRUSTED,
        /** Nobody's. */
        NONE
    }

    /** Checks all values. */
    public TracesConfig {
        Objects.requireNonNull(collector, "collector");
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(continued, "continued");
        Objects.requireNonNull(delay, "delay");
        Objects.requireNonNull(timeout, "timeout");
        if (!(ratio >= 0 && ratio <= 1) || queueLength < 1 || batch < 1) {
            throw new IllegalArgumentException(
                    "ratio %s, queueLength %d, batch %d".formatted(ratio, queueLength, batch));
        }
    }
}
