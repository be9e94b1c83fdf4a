package org.lrwp.webapp.config;

import java.util.Objects;

/**
 * What is written of decisions that have to be accounted for.
 *
 * @param lines of the audit log
 * @param refusalsPerHour lines about refusals at once, and in each hour; at least 1. Those above it
 *     are counted
 */
public record AuditLogConfig(LogConfig lines, int refusalsPerHour) {
    /** Checks the number. */
    public AuditLogConfig {
        Objects.requireNonNull(lines, "lines");
        if (refusalsPerHour < 1) {
            throw new IllegalArgumentException(
                    "refusalsPerHour " + refusalsPerHour + " is below 1");
        }
    }
}
