package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.Rotation;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Values;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Makes of checked values what the proxy's own logs are given.
 *
 * @param values the values
 */
record LogBuilder(Values values) {
    AccessLogConfig access() {
        Duration slowTime = values.get(LogKeys.SLOW_LOG_TIME);
        var lines =
                new LogConfig(
                        values.get(LogKeys.ACCESS_LOG),
                        values.get(LogKeys.ACCESS_LOG_FORMAT),
                        file(LogKeys.ACCESS_LOG_FILE),
                        new Rotation(
                                values.get(LogKeys.ACCESS_LOG_SIZE),
                                values.get(LogKeys.ACCESS_LOG_DAILY),
                                values.get(LogKeys.ACCESS_LOG_KEPT)),
                        values.get(LogKeys.ACCESS_LOG_QUEUE));
        var slow =
                new LogConfig(
                        !slowTime.isZero(),
                        form(LogKeys.SLOW_LOG_FORMAT),
                        file(LogKeys.SLOW_LOG_FILE),
                        new Rotation(
                                values.get(LogKeys.SLOW_LOG_SIZE),
                                false,
                                values.get(LogKeys.SLOW_LOG_KEPT)),
                        values.get(LogKeys.SLOW_LOG_QUEUE));
        return new AccessLogConfig(
                lines,
                values.get(LogKeys.ACCESS_LOG_TEMPLATE),
                values.get(LogKeys.ACCESS_LOG_SAMPLE),
                slow,
                slowTime);
    }

    AuditLogConfig audit() {
        Path file = file(LogKeys.AUDIT_LOG_FILE);
        var lines =
                new LogConfig(
                        file != null,
                        form(LogKeys.AUDIT_LOG_FORMAT),
                        file,
                        new Rotation(
                                values.get(LogKeys.AUDIT_LOG_SIZE),
                                false,
                                values.get(LogKeys.AUDIT_LOG_KEPT)),
                        values.get(LogKeys.AUDIT_LOG_QUEUE));
        return new AuditLogConfig(lines, values.get(LogKeys.AUDIT_LOG_REFUSALS));
    }

    private LogForm form(Key<String> key) {
        return values.get(key).equals("json") ? LogForm.JSON : LogForm.TEXT;
    }

    private @Nullable Path file(Key<String> key) {
        String file = values.get(key);
        return file.isEmpty() ? null : Path.of(file);
    }
}
