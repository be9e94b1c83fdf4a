package org.lrwp.webapp.config;

import org.lrwp.protocol.LengthField;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;

/** The limits of contexts; each also for one context alone: {@code context./osp.grace}. */
final class ContextKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final Duration SOME = Duration.ofMillis(1);

    static final Key<Integer> QUEUE_LENGTH =
            TABLE.key("context.queue-length", ValueTypes.count(0, 1_000_000), "1000")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Requests that may wait for a peer; above it 503 at once.");

    static final Key<Duration> QUEUE_TIME =
            TABLE.key("context.queue-time", ValueTypes.duration(Duration.ZERO), "10s")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("How long a request may wait for a peer; then 503.");

    static final Key<Duration> GRACE =
            TABLE.key("context.grace", ValueTypes.duration(Duration.ZERO), "10s")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "How long a context stays known when its last peer has left; then 404,"
                                    + " or 503 when the configuration names the context.");

    static final Key<Duration> RESPONSE_TIMEOUT =
            TABLE.key("context.response-timeout", ValueTypes.duration(SOME), "60s")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "How long a peer that has the whole request may send no byte; then"
                                    + " 504, or the client is cut when its answer has begun.");

    static final Key<Duration> SEND_TIMEOUT =
            TABLE.key("context.send-timeout", ValueTypes.duration(SOME), "10s")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "How long a peer may take no byte of a request; then another peer gets"
                                    + " it, or 502.");

    static final Key<Boolean> LOOK_BEFORE_SEND =
            TABLE.key("context.look-before-send", ValueTypes.SWITCH, "true")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Whether an idle connection is looked at before a request is written to"
                                    + " it: a peer that has just left then costs nothing.");

    static final Key<Integer> EJECT_AFTER =
            TABLE.key("context.eject-after", ValueTypes.count(0, 1000), "0")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Bad answers in a row (status 500 and above, a time-out, a broken or"
                                    + " missing answer) after which a peer gets nothing for a"
                                    + " while; 0: never.");

    static final Key<Duration> EJECT_TIME =
            TABLE.key("context.eject-time", ValueTypes.duration(SOME), "30s")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "How long such a peer gets nothing the first time; each further time"
                                    + " takes as much longer, up to ten times as long.");

    static final Key<Integer> EJECT_SHARE =
            TABLE.key("context.eject-share", ValueTypes.count(0, 100), "50")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Percent of the peers of a context that may get nothing at once; one"
                                    + " always gets requests.");

    static final Key<Duration> SLOW_START =
            TABLE.key("context.slow-start", ValueTypes.duration(Duration.ZERO), "0s")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "How long the share of its slots that a peer gets grows from a tenth to"
                                    + " all of them when it is back; 0: all at once.");

    static final Key<Long> ANSWER_HEAD =
            TABLE.key("context.answer-head", ValueTypes.size(64, 16 << 20), "64KiB")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Bytes of the head of an answer; above it 502.");

    static final Key<Long> START_SIZE =
            TABLE.key("context.start-size", ValueTypes.size(0, 16 << 20), "64KiB")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Bytes of an answer that are collected before it starts to the"
                                    + " client.");

    static final Key<Duration> START_DELAY =
            TABLE.key("context.start-delay", ValueTypes.duration(Duration.ZERO), "100ms")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "How long after its head an answer starts to the client at the"
                                    + " latest.");

    static final Key<Long> REQUEST_BODY =
            TABLE.key(
                            "context.request-body",
                            ValueTypes.size(0, LengthField.MAX_VALUE),
                            "999999999")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Bytes of the body of a request; above it 413.");

    static final Key<Duration> BODY_TIMEOUT =
            TABLE.key("context.body-timeout", ValueTypes.duration(SOME), "30s")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("How long the body of a request may be silent; then 408.");

    static final Key<Boolean> CACHE =
            TABLE.key("context.cache", ValueTypes.SWITCH, "false")
                    .each(ProxyValueTypes.CONTEXT)
                    .atStart(
                            "Whether answers are cached as HTTP says (docs/cache.md); needs"
                                    + " `cache.file`.");

    private ContextKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
