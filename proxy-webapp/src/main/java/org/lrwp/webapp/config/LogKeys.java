package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;

/** Keys of access log, slow log and audit log. */
final class LogKeys {
    private static final ValueType<LineTemplate> TEMPLATE =
            new ValueType<>(
                    "text with fields in braces, of "
                            + LineTemplate.names()
                            + "; {{ and }} are braces",
                    LineTemplate::parse);

    private static final KeyTable TABLE = new KeyTable();

    static final Key<Boolean> ACCESS_LOG =
            TABLE.key("access-log.enabled", ValueTypes.SWITCH, "true")
                    .live("Whether each exchange writes a line.");

    static final Key<LogForm> ACCESS_LOG_FORMAT =
            TABLE.key("access-log.format", ValueTypes.choice(LogForm.class), "text")
                    .live(
                            "The form of its lines. `combined` is the one that many programs read;"
                                    + " `own` is `access-log.template`.");

    static final Key<LineTemplate> ACCESS_LOG_TEMPLATE =
            TABLE.key(
                            "access-log.template",
                            TEMPLATE,
                            "{time} {client} \"{method} {target} {protocol}\" {status} {out}"
                                    + " {total-us} {reason}")
                    .live("A line in the form `own`.");

    static final Key<Integer> ACCESS_LOG_SAMPLE =
            TABLE.key("access-log.sample", ValueTypes.count(1, 1_000_000), "1")
                    .live(
                            "Of so many requests that went well one writes a line; 1 = each does."
                                    + " Those with a status from 400, a failure, or a line in the"
                                    + " slow log always do.");

    static final Key<String> ACCESS_LOG_FILE =
            TABLE.key("access-log.file", ValueTypes.TEXT, "")
                    .atStart(
                            "The file it is appended to; `-` = standard output; empty = the"
                                    + " container's log (logger `org.lrwp.access`).");

    static final Key<Integer> ACCESS_LOG_QUEUE =
            TABLE.key("access-log.queue-length", ValueTypes.count(1, 1_000_000), "10000")
                    .atStart(
                            "Lines that wait to be written; above it they are dropped and"
                                    + " counted.");

    static final Key<Long> ACCESS_LOG_SIZE =
            TABLE.key("access-log.file-size", ValueTypes.size(0, 1L << 40), "100MiB")
                    .atStart(
                            "Bytes of that file; then it becomes `FILE.1` and a new one begins."
                                    + " 0 = any number: something else rotates it.");

    static final Key<Boolean> ACCESS_LOG_DAILY =
            TABLE.key("access-log.daily", ValueTypes.SWITCH, "false")
                    .atStart("Whether that file also rotates with each day of UTC.");

    static final Key<Integer> ACCESS_LOG_KEPT =
            TABLE.key("access-log.files-kept", ValueTypes.count(1, 1000), "10")
                    .atStart("Older files beside it; above it the oldest is deleted.");

    static final Key<Duration> SLOW_LOG_TIME =
            TABLE.key("slow-log.time", ValueTypes.duration(Duration.ZERO), "0")
                    .live(
                            "A request that takes longer writes a line with its phases; 0 = none"
                                    + " does. Tunnels never do.");

    static final Key<String> SLOW_LOG_FORMAT =
            TABLE.key("slow-log.format", ValueTypes.word("text", "json"), "text")
                    .live("The form of its lines.");

    static final Key<String> SLOW_LOG_FILE =
            TABLE.key("slow-log.file", ValueTypes.TEXT, "")
                    .atStart(
                            "The file it is appended to; `-` = standard output; empty = the"
                                    + " container's log (logger `org.lrwp.slow`).");

    static final Key<Integer> SLOW_LOG_QUEUE =
            TABLE.key("slow-log.queue-length", ValueTypes.count(1, 1_000_000), "1000")
                    .atStart(
                            "Lines that wait to be written; above it they are dropped and"
                                    + " counted.");

    static final Key<Long> SLOW_LOG_SIZE =
            TABLE.key("slow-log.file-size", ValueTypes.size(0, 1L << 40), "100MiB")
                    .atStart(
                            "Bytes of that file; then it becomes `FILE.1` and a new one begins."
                                    + " 0 = any number: something else rotates it.");

    static final Key<Integer> SLOW_LOG_KEPT =
            TABLE.key("slow-log.files-kept", ValueTypes.count(1, 1000), "10")
                    .atStart("Older files beside it; above it the oldest is deleted.");

    static final Key<String> AUDIT_LOG_FILE =
            TABLE.key("audit-log.file", ValueTypes.TEXT, "")
                    .atStart(
                            "The file of the audit log, which is only appended to; empty = there is"
                                    + " none.");

    static final Key<String> AUDIT_LOG_FORMAT =
            TABLE.key("audit-log.format", ValueTypes.word("text", "json"), "text")
                    .live("The form of its lines.");

    static final Key<Integer> AUDIT_LOG_QUEUE =
            TABLE.key("audit-log.queue-length", ValueTypes.count(1, 1_000_000), "10000")
                    .atStart(
                            "Lines that wait to be written; above it they are dropped and"
                                    + " counted.");

    static final Key<Long> AUDIT_LOG_SIZE =
            TABLE.key("audit-log.file-size", ValueTypes.size(0, 1L << 40), "100MiB")
                    .atStart(
                            "Bytes of that file; then it becomes `FILE.1` and a new one begins."
                                    + " 0 = any number: something else rotates it.");

    static final Key<Integer> AUDIT_LOG_KEPT =
            TABLE.key("audit-log.files-kept", ValueTypes.count(1, 1000), "100")
                    .atStart("Older files beside it; above it the oldest is deleted.");

    static final Key<Integer> AUDIT_LOG_REFUSALS =
            TABLE.key("audit-log.refusals-per-hour", ValueTypes.count(1, 1_000_000), "10000")
                    .live(
                            "Lines about refusals at once, and in each hour. Those above it are"
                                    + " counted, and the next line says how many.");

    private LogKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
