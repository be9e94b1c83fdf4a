package org.lrwp.testkit;

import com.google.protobuf.InvalidProtocolBufferException;
import com.sun.net.httpserver.HttpExchange;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPInputStream;

/** A collector of traces that a test plays: takes OTLP over HTTP and keeps all spans. */
public final class TraceCollector implements AutoCloseable {
    private static final String PATH = "/v1/traces";
    private static final int OK = 200;

    private final LoopbackServer server = LoopbackServer.start(this::take);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<ReceivedSpan> spans = new ArrayList<>();
    private volatile String authorization = "";

    /** Starts a collector on a free port. */
    public TraceCollector() {}

    /**
     * Returns where it takes spans.
     *
     * @return the URL
     */
    public URI url() {
        return server.url(PATH);
    }

    /**
     * Returns what the last sender has shown.
     *
     * @return its Authorization; empty for none
     */
    public String authorization() {
        return authorization;
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String shown = exchange.getRequestHeaders().getFirst("Authorization");
            authorization = shown == null ? "" : shown;
            boolean zipped =
                    "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = exchange.getRequestBody();
            byte[] message = (zipped ? new GZIPInputStream(body) : body).readAllBytes();
            add(message);
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(OK, -1);
        }
    }

    private void add(byte[] message) throws InvalidProtocolBufferException {
        lock.lock();
        try {
            for (ResourceSpans all :
                    ExportTraceServiceRequest.parseFrom(message).getResourceSpansList()) {
                String service =
                        ReceivedSpan.texts(all.getResource().getAttributesList())
                                .getOrDefault("service.name", "");
                all.getScopeSpansList().stream()
                        .flatMap(scope -> scope.getSpansList().stream())
                        .forEach(span -> spans.add(ReceivedSpan.of(service, span)));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for spans.
     *
     * @param count how many must have come
     * @param within how long to wait
     * @return all that have come, in order
     * @throws InterruptedException when the thread is interrupted
     */
    public List<ReceivedSpan> await(int count, Duration within) throws InterruptedException {
        long left = within.toNanos();
        lock.lock();
        try {
            while (spans.size() < count) {
                if (left <= 0) {
                    throw new AssertionError("only " + spans.size() + " of " + count + " spans");
                }
                left = changed.awaitNanos(left);
            }
            return List.copyOf(spans);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
