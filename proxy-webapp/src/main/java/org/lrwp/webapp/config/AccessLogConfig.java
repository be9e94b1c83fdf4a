package org.lrwp.webapp.config;

import java.time.Duration;
import java.util.Objects;

/**
 * What is written of requests.
 *
 * @param lines of the access log
 * @param template the form of its lines when that is one's own
 * @param oneIn of so many requests that went well one writes a line; 1 = each
 * @param slow of the slow log
 * @param slowTime a request that takes longer writes a line there; zero = none does
 */
public record AccessLogConfig(
        LogConfig lines, LineTemplate template, int oneIn, LogConfig slow, Duration slowTime) {
    /** Checks the number. */
    public AccessLogConfig {
        Objects.requireNonNull(lines, "lines");
        Objects.requireNonNull(template, "template");
        Objects.requireNonNull(slow, "slow");
        Objects.requireNonNull(slowTime, "slowTime");
        if (oneIn < 1) {
            throw new IllegalArgumentException("oneIn " + oneIn + " is below 1");
        }
    }
}
