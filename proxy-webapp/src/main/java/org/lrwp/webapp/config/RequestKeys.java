package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;

/** Keys of requests and answers of all contexts. */
final class RequestKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final Duration SOME = Duration.ofMillis(1);
    private static final long GIB = 1L << 30;

    static final Key<String> FRONT =
            TABLE.key("front", ValueTypes.word("servlet", "edge", "auto", "direct"), "servlet")
                    .atStart(
                            "Which way requests of registered contexts take: `servlet` = the"
                                + " servlet, as in any other application; `edge` = the proxy's own"
                                + " reader, before the servlet container sees them: less work, but"
                                + " no servlet filters, no container security and no access log of"
                                + " the container; `auto` = `edge` where the container can be"
                                + " reached and none of these is there, else `servlet`. `edge`"
                                + " needs `agent.transport = auto`. `direct` is an old name of"
                                + " `edge`. `./lrwp proxy` and the packages have `auto`.");

    static final Key<Boolean> STRICT_HTTP =
            TABLE.key("strict-http", ValueTypes.SWITCH, "true")
                    .atStart(
                            "Whether the proxy's strict reader stands before the container,"
                                + " whichever way a request takes: what can be read in two ways"
                                + " gets 400, anything else goes on in one form only. For HTTP/1.");

    static final Key<Integer> MAX_EXCHANGES =
            TABLE.key("request.max-exchanges", ValueTypes.count(1, 1_000_000), "8000")
                    .live("Requests at once, over all contexts; above it 503.");

    static final Key<Integer> MAX_TUNNELS =
            TABLE.key("upgrade.max-tunnels", ValueTypes.count(0, 1_000_000), "20000")
                    .live(
                            "Connections of clients at once that speak another protocol (WebSocket)"
                                + " with a peer; above it 503, 0 = Upgrade fields are ignored.");

    static final Key<Duration> TUNNEL_IDLE =
            TABLE.key("upgrade.idle-timeout", ValueTypes.duration(Duration.ZERO), "10m")
                    .live(
                            "How long such a connection may carry no byte in either direction; then"
                                    + " it is cut, 0 = never.");

    static final Key<Long> REQUEST_HEAD =
            TABLE.key("request.head", ValueTypes.size(256, 1 << 16), "32KiB")
                    .live(
                            "Bytes of the head of a request; above it 431, or 414 when the first"
                                    + " line alone is longer. For requests of the container its own"
                                    + " limit holds too.");

    static final Key<Long> ENV_BLOCK =
            TABLE.key("request.env-block", ValueTypes.size(1024, 16 << 20), "128KiB")
                    .live("Bytes of the env block that a peer gets; above it 431.");

    static final Key<List<Network>> TRUSTED_PROXIES =
            TABLE.key("request.trusted-proxies", ValueTypes.NETWORKS, "127.0.0.0/8, ::1")
                    .live(
                            "Where `Forwarded`, `X-Forwarded-*` and `X-Request-Id` are believed"
                                + " from; elsewhere they are dropped. The client is the last hop"
                                + " they name that is not one of these (docs/operations.md).");

    static final Key<Boolean> XITAMI_VARIABLES =
            TABLE.key("request.xitami-variables", ValueTypes.SWITCH, "true")
                    .live(
                            "Whether peers get the variables that only Xitami knew"
                                    + " (docs/protocol.md).");

    static final Key<String> DOCUMENT_ROOT =
            TABLE.key("request.document-root", ValueTypes.TEXT, "")
                    .live("What PATH_TRANSLATED starts with; empty = no PATH_TRANSLATED.");

    static final Key<Long> DROP_LIMIT =
            TABLE.key("request.drop-limit", ValueTypes.size(0, GIB), "8MiB")
                    .live(
                            "Bytes of a request that are read and dropped when its answer is ready"
                                    + " before its end; above it the connection is closed.");

    static final Key<Duration> STALL_TIMEOUT =
            TABLE.key("answer.stall-timeout", ValueTypes.duration(SOME), "60s")
                    .live(
                            "How long a client may read nothing of its answer; then its connection"
                                    + " is cut.");

    static final Key<Long> WRITE_AHEAD =
            TABLE.key("answer.write-ahead", ValueTypes.size(1, GIB), "256KiB")
                    .live(
                            "Bytes of an answer that the container holds for a client that reads"
                                    + " slowly; the rest waits as `spool.*` says.");

    static final Key<Long> WRITE_AHEAD_TOTAL =
            TABLE.key("answer.write-ahead-total", ValueTypes.size(0, 1024 * GIB), "0")
                    .live(
                            "Bytes of all answers that are held so, about: the more clients read"
                                    + " slowly, the less is held for each, down to 16 KiB. 0 = an"
                                    + " eighth of the heap.");

    static final Key<Integer> FILE_THREADS =
            TABLE.key("answer.file-threads", ValueTypes.count(1, 64), "2")
                    .atStart(
                            "Threads that have the kernel send parts of files that modules lend;"
                                    + " they may wait for the disk.");

    private RequestKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
