package org.lrwp.runtime.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmClassLoadingMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The figures of a program, and those of its JVM, in a text format of Prometheus or OpenMetrics.
 * Thread-safe; never blocks.
 */
public final class MetricsText {
    private static final ExpositionFormats FORMATS = ExpositionFormats.init();

    private final PrometheusRegistry registry = new PrometheusRegistry();

    /**
     * Prepares the text.
     *
     * @param collectors read figures when somebody asks
     */
    public MetricsText(List<MultiCollector> collectors) {
        collectors.forEach(registry::register);
        // Those that listen to the JVM for ever would keep a web application after its
        // undeployment.
        JvmBufferPoolMetrics.builder().register(registry);
        JvmClassLoadingMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
        JvmMemoryMetrics.builder().register(registry);
        JvmRuntimeInfoMetric.builder().register(registry);
        JvmThreadsMetrics.builder().register(registry);
        ProcessMetrics.builder().register(registry);
    }

    /**
     * The text in one format.
     *
     * @param contentType its media type with version and character set
     * @param text its lines
     */
    public record Written(String contentType, String text) {}

    /**
     * Writes the text.
     *
     * @param accept the request's Accept; null for none
     * @return OpenMetrics when it is asked for, else the text format of Prometheus
     */
    public Written write(@Nullable String accept) {
        boolean open = accept != null && accept.contains("application/openmetrics-text");
        ExpositionFormatWriter writer =
                open
                        ? FORMATS.getOpenMetricsTextFormatWriter()
                        : FORMATS.getPrometheusTextFormatWriter();
        var out = new ByteArrayOutputStream();
        try {
            writer.write(out, registry.scrape());
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail", e);
        }
        return new Written(writer.getContentType(), out.toString(StandardCharsets.UTF_8));
    }
}
