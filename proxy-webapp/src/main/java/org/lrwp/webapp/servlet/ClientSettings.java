package org.lrwp.webapp.servlet;

import org.lrwp.engine.time.NanoClock;
import org.lrwp.webapp.config.RequestConfig;

import java.util.Objects;

/**
 * What all clients share.
 *
 * @param config limits of requests and answers
 * @param clock a monotonic clock
 * @param stalls looks at slow clients
 */
public record ClientSettings(RequestConfig config, NanoClock clock, StallWatch stalls) {
    /** Checks that nothing is missing. */
    public ClientSettings {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(stalls, "stalls");
    }
}
