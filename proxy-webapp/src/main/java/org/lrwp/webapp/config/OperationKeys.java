package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Keys of status pages, readiness and the end. */
final class OperationKeys {
    private static final KeyTable TABLE = new KeyTable();

    static final Key<List<Network>> STATUS_NETWORKS =
            TABLE.key("status.networks", ValueTypes.NETWORKS, "127.0.0.0/8, ::1")
                    .live("Who is answered on `/-/`; others get 403.");

    static final Key<Set<String>> STATUS_HOSTS =
            TABLE.key("status.hosts", ProxyValueTypes.NAMES, "localhost, 127.0.0.1, [::1]")
                    .live(
                            "Values of Host, without port, that are answered on `/-/`; `*` = any."
                                    + " Others get 403.");

    static final Key<Set<String>> OWN_HOSTS =
            TABLE.key("status.own-hosts", ProxyValueTypes.NAMES, "")
                    .live(
                            "Values of Host, without port, at which nothing but `/-/` is answered;"
                                + " all else there is 404, so that no page of a peer is of the same"
                                + " origin as the console. Set `status.hosts` to the same.");

    static final Key<Boolean> STATUS_FORWARDED =
            TABLE.key("status.forwarded", ValueTypes.SWITCH, "false")
                    .live(
                            "Whether requests with `Forwarded` or `X-Forwarded-*` are answered on"
                                    + " `/-/`; else 403.");

    static final Key<String> ADMIN_TOKEN =
            TABLE.key("admin.token-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with the token that acting on `/-/` needs, 16 to 1024 bytes, or"
                                + " with a line `NAME = TOKEN` for each operator, at most 1024"
                                + " bytes in all; mode 600. Empty = nobody may do anything there."
                                + " `status.*` says from where.");

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

    static final Key<Duration> DRAIN_NOTICE =
            TABLE.key("drain-notice", ValueTypes.duration(Duration.ZERO), "0s")
                    .live(
                            "How long before that the proxy says by `/-/health/ready`, and to the"
                                    + " other nodes of its cluster, that it is about to stop, and"
                                    + " still takes requests; as long as a load balancer needs to"
                                    + " notice. 0 = not at all.");

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
