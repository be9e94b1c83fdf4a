package org.lrwp.webapp.traces;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.exchange.Slot;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.KnownMethod;

/**
 * The span of one request: its events, and at the end what became of it. The names of attributes
 * are those of OpenTelemetry's conventions for HTTP servers, or begin with {@code lrwp.}. One that
 * is not sampled has an id, which is passed on, and costs nothing else. Any thread.
 */
final class RequestSpan implements RequestTrace {
    private static final AttributeKey<String> METHOD =
            AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<Long> STATUS =
            AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    private static final AttributeKey<String> HOST = AttributeKey.stringKey("server.address");
    private static final AttributeKey<String> CLIENT = AttributeKey.stringKey("client.address");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<Long> RECEIVED =
            AttributeKey.longKey("http.request.body.size");
    private static final AttributeKey<Long> SENT = AttributeKey.longKey("http.response.body.size");
    private static final AttributeKey<String> REQUEST = AttributeKey.stringKey("lrwp.request");
    private static final AttributeKey<String> PEER = AttributeKey.stringKey("lrwp.peer");
    private static final AttributeKey<String> IDENTITY = AttributeKey.stringKey("lrwp.identity");
    private static final AttributeKey<String> REASON = AttributeKey.stringKey("lrwp.reason");
    private static final AttributeKey<String> CACHE = AttributeKey.stringKey("lrwp.cache");
    private static final AttributeKey<Long> RETRIES = AttributeKey.longKey("lrwp.retries");

    /** What stands for a method that anybody could have made up. */
    private static final String OTHER = "_OTHER";

    private static final int FIRST_SERVER_ERROR = 500;

    private final RequestHead head;
    private final Span span;
    private final boolean recording;
    private final String parent;
    private final String state;

    /**
     * Follows a request.
     *
     * @param head the request
     * @param span its span, started
     * @param state the client's {@code tracestate}, when its trace goes on
     */
    RequestSpan(RequestHead head, Span span, String state) {
        this.head = head;
        this.span = span;
        this.recording = span.isRecording();
        this.parent = parent(span.getSpanContext());
        this.state = state;
    }

    private static String parent(SpanContext context) {
        return "00-"
                + context.getTraceId()
                + '-'
                + context.getSpanId()
                + '-'
                + context.getTraceFlags().asHex();
    }

    // ---- Events.

    @Override
    public void queued() {
        event("queued");
    }

    @Override
    public void sent(Slot slot) {
        if (recording) {
            span.addEvent("sent", Attributes.of(PEER, slot.peerName()));
        }
    }

    @Override
    public void started() {
        event("started");
    }

    @Override
    public void firstByte() {
        event("first-byte");
    }

    @Override
    public void answered() {
        event("done");
    }

    @Override
    public void retried(Failure why) {
        if (recording) {
            span.addEvent("retried", Attributes.of(REASON, why.word()));
        }
    }

    private void event(String name) {
        if (recording) {
            span.addEvent(name);
        }
    }

    @Override
    public void ended(ExchangeRecord record) {
        if (recording) {
            describe(record);
        }
        span.end();
    }

    private void describe(ExchangeRecord record) {
        KnownMethod known = head.bytes().method();
        String method = known == null ? OTHER : record.method();
        String name = known == null ? "HTTP" : method;
        span.updateName(record.context().isEmpty() ? name : name + " " + record.context());
        span.setAttribute(METHOD, method);
        span.setAttribute(PATH, head.target().path());
        span.setAttribute(SCHEME, head.secure() ? "https" : "http");
        span.setAttribute(HOST, head.authority().host());
        span.setAttribute(CLIENT, record.client());
        span.setAttribute(REQUEST, record.id());
        span.setAttribute(REASON, record.reason());
        span.setAttribute(RECEIVED, record.requestBytes());
        span.setAttribute(SENT, record.answerBytes());
        setKnown(ROUTE, record.context());
        setKnown(PEER, record.peer());
        setKnown(IDENTITY, record.identity());
        setKnown(CACHE, record.cache());
        if (record.retries() > 0) {
            span.setAttribute(RETRIES, (long) record.retries());
        }
        if (record.status() > 0) {
            span.setAttribute(STATUS, (long) record.status());
        }
        if (record.status() >= FIRST_SERVER_ERROR || isCut(record)) {
            span.setStatus(StatusCode.ERROR);
            span.setAttribute(ERROR, record.reason());
        }
    }

    /** Whether the client has not got what its status promised. */
    private static boolean isCut(ExchangeRecord record) {
        boolean good = record.status() < 400;
        return good && Failure.isWord(record.reason());
    }

    private void setKnown(AttributeKey<String> key, String value) {
        if (!value.isEmpty()) {
            span.setAttribute(key, value);
        }
    }

    // ---- What is passed on.

    @Override
    public String id() {
        return span.getSpanContext().getTraceId();
    }

    @Override
    public String parent() {
        return parent;
    }

    @Override
    public String state() {
        return state;
    }
}
