package org.lrwp.webapp.traces;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.config.TracesConfig;

import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Makes a span of each request and sends those that are sampled to a collector, by OTLP over HTTP.
 * Threads of its own send them; a request never waits. Any thread.
 */
public final class Traces implements RequestFollower, AutoCloseable {
    private static final String NAME = "org.lrwp.proxy";
    private static final long CLOSE_SECONDS = 2;

    private final SdkTracerProvider provider;
    private final CountedSpans spans;
    private final Tracer tracer;
    private final Supplier<TracesConfig> config;
    private final Predicate<RequestHead> trusted;

    private Traces(
            SdkTracerProvider provider,
            CountedSpans spans,
            Supplier<TracesConfig> config,
            Predicate<RequestHead> trusted,
            String version) {
        this.provider = provider;
        this.spans = spans;
        this.tracer = provider.get(NAME, version);
        this.config = config;
        this.trusted = trusted;
    }

    /**
     * Starts to follow requests.
     *
     * @param config what is sent where; what may change is looked at again for each request
     * @param trusted says whether a request comes from a trusted proxy
     * @param version of the proxy
     * @param token what the collector wants; empty for nothing
     * @return to be closed at the end
     */
    public static Traces start(
            Supplier<TracesConfig> config,
            Predicate<RequestHead> trusted,
            String version,
            String token) {
        TracesConfig first = config.get();
        var spans =
                new CountedSpans(
                        first.queueLength(),
                        exporter(first, token),
                        exporter -> queue(first, exporter));
        Attributes service =
                Attributes.builder()
                        .put("service.name", first.service())
                        .put("service.version", version)
                        .build();
        SdkTracerProvider provider =
                SdkTracerProvider.builder()
                        .setResource(Resource.getDefault().merge(Resource.create(service)))
                        .setSampler(Sampler.parentBased(new LiveRatio(() -> config.get().ratio())))
                        .addSpanProcessor(spans)
                        .build();
        return new Traces(provider, spans, config, trusted, version);
    }

    private static SpanProcessor queue(TracesConfig config, SpanExporter exporter) {
        return BatchSpanProcessor.builder(exporter)
                .setMaxQueueSize(config.queueLength())
                .setMaxExportBatchSize(Math.min(config.queueLength(), config.batch()))
                .setScheduleDelay(config.delay())
                .setExporterTimeout(config.timeout())
                .build();
    }

    private static SpanExporter exporter(TracesConfig config, String token) {
        OtlpHttpSpanExporterBuilder builder =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(config.collector().toString())
                        .setTimeout(config.timeout())
                        .setConnectTimeout(config.timeout());
        if (!token.isEmpty()) {
            builder.addHeader("Authorization", "Bearer " + token);
        }
        return builder.build();
    }

    @Override
    public RequestTrace follow(RequestHead head) {
        ClientContext client = isContinued(head) ? ClientContext.of(head) : ClientContext.NONE;
        Span span =
                tracer.spanBuilder("request")
                        .setSpanKind(SpanKind.SERVER)
                        .setParent(client.context())
                        .startSpan();
        return new RequestSpan(head, span, client.state());
    }

    private boolean isContinued(RequestHead head) {
        return switch (config.get().continued()) {
            case ALL -> true;
            case TRUSTED -> trusted.test(head);
            case NONE -> false;
        };
    }

    /**
     * Says what has become of the spans.
     *
     * @return counts since the start
     */
    public TraceStatus status() {
        return spans.status();
    }

    /** Sends what waits; for two seconds at most. */
    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
