package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Keys of logs, status pages, readiness and the end. */
final class OperationKeys {
    private static final KeyTable TABLE = new KeyTable();

    static final Key<Boolean> ACCESS_LOG =
            TABLE.key("access-log.enabled", ValueTypes.SWITCH, "true")
                    .live("Whether each exchange writes a line.");

    static final Key<String> ACCESS_LOG_FORMAT =
            TABLE.key("access-log.format", ValueTypes.word("text", "json"), "text")
                    .live("The form of its lines.");

    static final Key<String> ACCESS_LOG_FILE =
            TABLE.key("access-log.file", ValueTypes.TEXT, "")
                    .atStart(
                            "The file it is appended to; empty = the container's log (logger"
                                    + " `org.lrwp.access`).");

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

    static final Key<Integer> ACCESS_LOG_KEPT =
            TABLE.key("access-log.files-kept", ValueTypes.count(1, 1000), "10")
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

    static final Key<List<Network>> STATUS_NETWORKS =
            TABLE.key("status.networks", ValueTypes.NETWORKS, "127.0.0.0/8, ::1")
                    .live("Who is answered on `/-/`; others get 403.");

    static final Key<Set<String>> STATUS_HOSTS =
            TABLE.key("status.hosts", ProxyValueTypes.NAMES, "localhost, 127.0.0.1, [::1]")
                    .live(
                            "Values of Host, without port, that are answered on `/-/`; `*` = any."
                                    + " Others get 403.");

    static final Key<Boolean> STATUS_FORWARDED =
            TABLE.key("status.forwarded", ValueTypes.SWITCH, "false")
                    .live(
                            "Whether requests with `Forwarded` or `X-Forwarded-*` are answered on"
                                    + " `/-/`; else 403.");

    static final Key<String> ADMIN_TOKEN =
            TABLE.key("admin.token-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with the token that acting on `/-/` needs, 16 to 1024 bytes, mode"
                                    + " 600; empty = nobody may do anything there. `status.*` says"
                                    + " from where.");

    static final Key<Duration> ADMIN_SESSION =
            TABLE.key(
                            "admin.session-time",
                            ValueTypes.duration(Duration.ofMinutes(1), Duration.ofDays(7)),
                            "8h")
                    .live(
                            "How long a browser stays logged in at the console; then the token"
                                    + " is asked for again.");

    static final Key<Set<String>> READY_CONTEXTS =
            TABLE.key("ready-contexts", ProxyValueTypes.CONTEXTS, "")
                    .live(
                            "Contexts that need a peer before `/-/health/ready` says 200; else"
                                    + " 503.");

    static final Key<Integer> METRIC_CONTEXTS =
            TABLE.key("metrics.contexts", ValueTypes.count(1, 100_000), "1000")
                    .atStart(
                            "Contexts that have metrics of their own in `/-/metrics`; further ones"
                                    + " count as `(others)`, and the log has"
                                    + " `metrics-contexts-full`.");

    static final Key<Duration> DRAIN_TIME =
            TABLE.key("drain-time", ValueTypes.duration(Duration.ZERO), "10s")
                    .live(
                            "How long requests in flight may go on when the proxy stops; then one"
                                + " that a peer has and that must not be repeated gets 502, any"
                                + " other without an answer 503, and answers that have begun are"
                                + " cut. New ones get 503 at once.");

    static final Key<String> SECRETS_FILE =
            TABLE.key("secrets-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File of lines `/context = key`; its mode must be 600. Peers of these"
                                    + " contexts must prove the key.");

    private OperationKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
