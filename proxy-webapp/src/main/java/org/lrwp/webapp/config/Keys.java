package org.lrwp.webapp.config;

import org.lrwp.protocol.LengthField;
import org.lrwp.protocol.network.Network;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** All keys, with their defaults: the one place of both. */
final class Keys {
    static final String CONTEXT_PREFIX = "context.";

    private static final long GIB = 1L << 30;
    private static final Duration SOME = Duration.ofMillis(1);

    // ---- Limits of a context; each also as context.<context>.<name>.

    static final Key<Integer> QUEUE_LENGTH =
            new Key<>(
                    "context.queue-length",
                    ValueTypes.count(0, 1_000_000),
                    "1000",
                    "Requests that may wait for a peer; above it 503 at once.");
    static final Key<Duration> QUEUE_TIME =
            new Key<>(
                    "context.queue-time",
                    ValueTypes.duration(Duration.ZERO),
                    "10s",
                    "How long a request may wait for a peer; then 503.");
    static final Key<Duration> GRACE =
            new Key<>(
                    "context.grace",
                    ValueTypes.duration(Duration.ZERO),
                    "10s",
                    "How long a context stays known when its last peer has left; then 404, or 503"
                            + " when the configuration names the context.");
    static final Key<Duration> RESPONSE_TIMEOUT =
            new Key<>(
                    "context.response-timeout",
                    ValueTypes.duration(SOME),
                    "60s",
                    "How long a peer that has the whole request may send no octet; then 504, or"
                            + " the client is cut when its answer has begun.");
    static final Key<Duration> SEND_TIMEOUT =
            new Key<>(
                    "context.send-timeout",
                    ValueTypes.duration(SOME),
                    "10s",
                    "How long a peer may take no octet of a request; then another peer gets it, or"
                            + " 502.");
    static final Key<Boolean> LOOK_BEFORE_SEND =
            new Key<>(
                    "context.look-before-send",
                    ValueTypes.SWITCH,
                    "true",
                    "Whether an idle connection is looked at before a request is written to it: a"
                            + " peer that has just left then costs nothing.");
    static final Key<Long> ANSWER_HEAD =
            new Key<>(
                    "context.answer-head",
                    ValueTypes.size(64, 16 << 20),
                    "64KiB",
                    "Octets of the head of an answer; above it 502.");
    static final Key<Long> START_SIZE =
            new Key<>(
                    "context.start-size",
                    ValueTypes.size(0, 16 << 20),
                    "64KiB",
                    "Octets of an answer that are collected before it starts to the client.");
    static final Key<Duration> START_DELAY =
            new Key<>(
                    "context.start-delay",
                    ValueTypes.duration(Duration.ZERO),
                    "100ms",
                    "How long after its head an answer starts to the client at the latest.");
    static final Key<Long> REQUEST_BODY =
            new Key<>(
                    "context.request-body",
                    ValueTypes.size(0, LengthField.MAX_VALUE),
                    "999999999",
                    "Octets of the body of a request; above it 413.");
    static final Key<Duration> BODY_TIMEOUT =
            new Key<>(
                    "context.body-timeout",
                    ValueTypes.duration(SOME),
                    "30s",
                    "How long the body of a request may be silent; then 408.");

    // ---- Requests and answers.

    static final Key<Integer> MAX_EXCHANGES =
            new Key<>(
                    "request.max-exchanges",
                    ValueTypes.count(1, 1_000_000),
                    "8000",
                    "Requests at once, over all contexts; above it 503.");
    static final Key<Integer> MAX_TUNNELS =
            new Key<>(
                    "upgrade.max-tunnels",
                    ValueTypes.count(0, 1_000_000),
                    "20000",
                    "Connections of clients at once that speak another protocol (WebSocket) with a"
                            + " peer; above it 503, 0 = Upgrade fields are ignored.");
    static final Key<Duration> TUNNEL_IDLE =
            new Key<>(
                    "upgrade.idle-timeout",
                    ValueTypes.duration(Duration.ZERO),
                    "10m",
                    "How long such a connection may carry no byte in either direction; then it is"
                            + " cut, 0 = never.");
    static final Key<Long> REQUEST_HEAD =
            new Key<>(
                    "request.head",
                    ValueTypes.size(256, 1 << 16),
                    "32KiB",
                    "Bytes of the head of a request; above it 431, or 414 when the first line alone"
                            + " is longer. For requests of the container its own limit holds too.");
    static final Key<Long> ENV_BLOCK =
            new Key<>(
                    "request.env-block",
                    ValueTypes.size(1024, 16 << 20),
                    "128KiB",
                    "Octets of the env block that a peer gets; above it 431.");
    static final Key<List<Network>> TRUSTED_PROXIES =
            new Key<>(
                    "request.trusted-proxies",
                    ValueTypes.NETWORKS,
                    "127.0.0.0/8, ::1",
                    "Where `Forwarded`, `X-Forwarded-*` and `X-Request-Id` are believed from;"
                            + " elsewhere they are dropped. The client is the last hop they name"
                            + " that is not one of these (docs/operations.md).");
    static final Key<Boolean> XITAMI_VARIABLES =
            new Key<>(
                    "request.xitami-variables",
                    ValueTypes.SWITCH,
                    "true",
                    "Whether peers get the variables that only Xitami knew (docs/protocol.md).");
    static final Key<String> DOCUMENT_ROOT =
            new Key<>(
                    "request.document-root",
                    ValueTypes.TEXT,
                    "",
                    "What PATH_TRANSLATED starts with; empty = no PATH_TRANSLATED.");
    static final Key<Long> DROP_LIMIT =
            new Key<>(
                    "request.drop-limit",
                    ValueTypes.size(0, GIB),
                    "8MiB",
                    "Octets of a request that are read and dropped when its answer is ready before"
                            + " its end; above it the connection is closed.");
    static final Key<Duration> STALL_TIMEOUT =
            new Key<>(
                    "answer.stall-timeout",
                    ValueTypes.duration(SOME),
                    "60s",
                    "How long a client may read nothing of its answer; then its connection is"
                            + " cut.");
    static final Key<Long> WRITE_AHEAD =
            new Key<>(
                    "answer.write-ahead",
                    ValueTypes.size(1, GIB),
                    "256KiB",
                    "Octets of an answer that the container holds for a client that reads slowly;"
                            + " the rest waits as `spool.*` says.");

    static final Key<Integer> FILE_THREADS =
            new Key<>(
                    "answer.file-threads",
                    ValueTypes.count(1, 64),
                    "2",
                    "Threads that have the kernel send parts of files that modules lend; they may"
                            + " wait for the disk.");

    // ---- Where bodies wait.

    static final Key<String> SPOOL_FOLDER =
            new Key<>(
                    "spool.folder",
                    ValueTypes.TEXT,
                    "",
                    "Where temporary files are made; empty = the JVM's folder for them. Missing or"
                            + " not writable: the proxy does not start.");
    static final Key<Long> SPOOL_MEMORY_PER_BODY =
            new Key<>(
                    "spool.memory-per-body",
                    ValueTypes.size(0, GIB),
                    "64KiB",
                    "Octets of one body kept in memory; the rest goes to a file.");
    static final Key<Long> SPOOL_MEMORY_TOTAL =
            new Key<>(
                    "spool.memory-total",
                    ValueTypes.size(0, 1024 * GIB),
                    "128MiB",
                    "Octets of all bodies kept in memory; above it they go to files at once.");
    static final Key<Long> SPOOL_DISK_TOTAL =
            new Key<>(
                    "spool.disk-total",
                    ValueTypes.size(0, 1024 * 1024 * GIB),
                    "10GiB",
                    "Octets of all temporary files; above it requests get 503 and answers wait with"
                            + " their peers.");
    static final Key<Long> SPOOL_ANSWER_LIMIT =
            new Key<>(
                    "spool.answer-limit",
                    ValueTypes.size(1, 1024 * GIB),
                    "1GiB",
                    "Octets of one answer that wait for a slow client; above it its peer waits.");

    // ---- Operations.

    static final Key<Boolean> ACCESS_LOG =
            new Key<>(
                    "access-log.enabled",
                    ValueTypes.SWITCH,
                    "true",
                    "Whether each exchange writes a line.");
    static final Key<String> ACCESS_LOG_FORMAT =
            new Key<>(
                    "access-log.format",
                    ValueTypes.word("text", "json"),
                    "text",
                    "The form of its lines.");
    static final Key<String> ACCESS_LOG_FILE =
            new Key<>(
                    "access-log.file",
                    ValueTypes.TEXT,
                    "",
                    "The file it is appended to; empty = the container's log (logger"
                            + " `org.lrwp.access`).");
    static final Key<Integer> ACCESS_LOG_QUEUE =
            new Key<>(
                    "access-log.queue-length",
                    ValueTypes.count(1, 1_000_000),
                    "10000",
                    "Lines that wait to be written; above it they are dropped and counted.");
    static final Key<List<Network>> STATUS_NETWORKS =
            new Key<>(
                    "status.networks",
                    ValueTypes.NETWORKS,
                    "127.0.0.0/8, ::1",
                    "Who is answered on `/-/`; others get 403.");
    static final Key<Set<String>> STATUS_HOSTS =
            new Key<>(
                    "status.hosts",
                    ValueTypes.NAMES,
                    "localhost, 127.0.0.1, [::1]",
                    "Values of Host, without port, that are answered on `/-/`; `*` = any. Others"
                            + " get 403.");
    static final Key<Boolean> STATUS_FORWARDED =
            new Key<>(
                    "status.forwarded",
                    ValueTypes.SWITCH,
                    "false",
                    "Whether requests with `Forwarded` or `X-Forwarded-*` are answered on `/-/`;"
                            + " else 403.");
    static final Key<Set<String>> READY_CONTEXTS =
            new Key<>(
                    "ready-contexts",
                    ValueTypes.CONTEXTS,
                    "",
                    "Contexts that need a peer before `/-/health/ready` says 200; else 503.");
    static final Key<String> FRONT =
            new Key<>(
                    "front",
                    ValueTypes.word("servlet", "edge", "auto", "direct"),
                    "servlet",
                    "Which way requests of registered contexts take: `servlet` = the servlet, as in"
                            + " any other application; `edge` = the proxy's own reader, before the"
                            + " servlet container sees them: less work, but no servlet filters, no"
                            + " container security and no access log of the container; `auto` ="
                            + " `edge` where the container can be reached and none of these is"
                            + " there, else `servlet`. `edge` needs `agent.transport = auto`."
                            + " `direct` is an old name of `edge`.");
    static final Key<Boolean> STRICT_HTTP =
            new Key<>(
                    "strict-http",
                    ValueTypes.SWITCH,
                    "true",
                    "Whether the proxy's strict reader stands before the container, whichever way a"
                            + " request takes: what can be read in two ways gets 400, anything else"
                            + " goes on in one form only. For HTTP/1.");
    static final Key<Duration> DRAIN_TIME =
            new Key<>(
                    "drain-time",
                    ValueTypes.duration(Duration.ZERO),
                    "10s",
                    "How long requests in flight may go on when the proxy stops; then those that"
                            + " wait get 503 and the others are cut. New ones get 503 at once.");
    static final Key<String> SECRETS_FILE =
            new Key<>(
                    "secrets-file",
                    ValueTypes.TEXT,
                    "",
                    "File of lines `/context = key`; its mode must be 600. Peers of these contexts"
                            + " must prove the key.");

    /** All keys, in the order of the docs. */
    static final List<Key<?>> ALL =
            List.of(
                    AgentKeys.AGENT_ADDRESS,
                    AgentKeys.AGENT_PORT,
                    AgentKeys.AGENT_NETWORKS,
                    AgentKeys.AGENT_REGISTRATION_TIME,
                    AgentKeys.AGENT_SETTLE,
                    AgentKeys.AGENT_MAX_PEERS,
                    AgentKeys.AGENT_MAX_PEERS_PER_ADDRESS,
                    AgentKeys.AGENT_ALLOWED_CONTEXTS,
                    AgentKeys.AGENT_PING_TIME,
                    AgentKeys.AGENT_PEER_CONNECTIONS,
                    AgentKeys.AGENT_MAX_CAPACITY,
                    AgentKeys.AGENT_MAX_CONTEXTS_PER_PEER,
                    AgentKeys.AGENT_IO_THREADS,
                    AgentKeys.AGENT_TRANSPORT,
                    QUEUE_LENGTH,
                    QUEUE_TIME,
                    GRACE,
                    RESPONSE_TIMEOUT,
                    SEND_TIMEOUT,
                    LOOK_BEFORE_SEND,
                    ANSWER_HEAD,
                    START_SIZE,
                    START_DELAY,
                    REQUEST_BODY,
                    BODY_TIMEOUT,
                    CacheKeys.CACHE,
                    CacheKeys.FILE,
                    CacheKeys.SIZE,
                    CacheKeys.LARGEST,
                    CacheKeys.HEURISTIC,
                    CacheKeys.WAITING,
                    CacheKeys.PASS_TIME,
                    CacheKeys.PURGE_NETWORKS,
                    CacheKeys.PURGE_TOKEN,
                    FRONT,
                    STRICT_HTTP,
                    MAX_EXCHANGES,
                    MAX_TUNNELS,
                    TUNNEL_IDLE,
                    ClientKeys.HALF_CLOSE,
                    ClientKeys.HEAD_TIMEOUT,
                    ClientKeys.PROXY_PROTOCOL,
                    ClientKeys.BODY_RATE,
                    ClientKeys.BODY_GRACE,
                    ClientKeys.MAX_CONNECTIONS,
                    ClientKeys.MAX_REQUESTS,
                    ClientKeys.EXEMPT,
                    ClientKeys.MAX_RESETS,
                    REQUEST_HEAD,
                    ENV_BLOCK,
                    TRUSTED_PROXIES,
                    XITAMI_VARIABLES,
                    DOCUMENT_ROOT,
                    DROP_LIMIT,
                    STALL_TIMEOUT,
                    WRITE_AHEAD,
                    FILE_THREADS,
                    SPOOL_FOLDER,
                    SPOOL_MEMORY_PER_BODY,
                    SPOOL_MEMORY_TOTAL,
                    SPOOL_DISK_TOTAL,
                    SPOOL_ANSWER_LIMIT,
                    ACCESS_LOG,
                    ACCESS_LOG_FORMAT,
                    ACCESS_LOG_FILE,
                    ACCESS_LOG_QUEUE,
                    STATUS_NETWORKS,
                    STATUS_HOSTS,
                    STATUS_FORWARDED,
                    READY_CONTEXTS,
                    DRAIN_TIME,
                    SECRETS_FILE);

    private Keys() {}
}
