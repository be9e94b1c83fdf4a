package org.lrwp.webapp.traces;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;

import java.util.List;
import java.util.function.DoubleSupplier;

/** Samples a share of traces, by their ids; the share may change at any time. Thread-safe. */
final class LiveRatio implements Sampler {
    private final DoubleSupplier share;
    private volatile Known known;

    private record Known(double ratio, Sampler sampler) {
        static Known of(double ratio) {
            return new Known(ratio, Sampler.traceIdRatioBased(ratio));
        }
    }

    LiveRatio(DoubleSupplier share) {
        this.share = share;
        this.known = Known.of(share.getAsDouble());
    }

    @Override
    public SamplingResult shouldSample(
            Context parent,
            String traceId,
            String name,
            SpanKind kind,
            Attributes attributes,
            List<LinkData> links) {
        double ratio = share.getAsDouble();
        Known now = known;
        if (now.ratio() != ratio) {
            now = Known.of(ratio);
            known = now;
        }
        return now.sampler().shouldSample(parent, traceId, name, kind, attributes, links);
    }

    @Override
    public String getDescription() {
        return "LiveRatio";
    }
}
