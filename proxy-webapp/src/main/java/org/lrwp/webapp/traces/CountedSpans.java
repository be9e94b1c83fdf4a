package org.lrwp.webapp.traces;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Limits the spans that wait to be sent, and counts what becomes of them: the SDK drops without a
 * word. Any thread; never blocks.
 */
final class CountedSpans implements SpanProcessor {
    private final int limit;
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final SpanProcessor next;

    /**
     * Stands before the SDK's queue.
     *
     * @param limit spans that wait at once
     * @param exporter sends them
     * @param queue makes the queue of an exporter; it has room for the limit
     */
    CountedSpans(int limit, SpanExporter exporter, Function<SpanExporter, SpanProcessor> queue) {
        this.limit = limit;
        this.next = queue.apply(new Counted(exporter));
    }

    TraceStatus status() {
        return new TraceStatus(sent.sum(), dropped.sum(), failed.sum());
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        next.onStart(parent, span);
    }

    @Override
    public boolean isStartRequired() {
        return next.isStartRequired();
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!span.getSpanContext().isSampled()) {
            return;
        }
        if (waiting.incrementAndGet() > limit) {
            waiting.decrementAndGet();
            dropped.increment();
        } else {
            next.onEnd(span);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return next.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return next.forceFlush();
    }

    /** Sends, and counts. */
    private final class Counted implements SpanExporter {
        private final SpanExporter exporter;

        Counted(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int count = spans.size();
            CompletableResultCode result = exporter.export(spans);
            result.whenComplete(
                    () -> {
                        waiting.addAndGet(-count);
                        (result.isSuccess() ? sent : failed).add(count);
                    });
            return result;
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
