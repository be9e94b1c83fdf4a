package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.identity.CertificatePattern;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Who may act on the pages under {@code /-/}.
 *
 * @param tokenFile file with the tokens; null for none
 * @param certificates whose client certificates are enough, by names of operators
 * @param sessionTime how long a browser stays logged in
 */
public record AdminConfig(
        @Nullable Path tokenFile,
        Map<String, List<CertificatePattern>> certificates,
        Duration sessionTime) {
    /** Copies the map, in the order of its names. */
    public AdminConfig {
        certificates = Collections.unmodifiableMap(new TreeMap<>(certificates));
        Objects.requireNonNull(sessionTime, "sessionTime");
    }
}
