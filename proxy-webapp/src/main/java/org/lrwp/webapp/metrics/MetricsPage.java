package org.lrwp.webapp.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmClassLoadingMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.ClusterStatus;
import org.lrwp.webapp.operations.EngineView;
import org.lrwp.webapp.operations.LogStatus;
import org.lrwp.webapp.operations.ModuleView;
import org.lrwp.webapp.traces.TraceStatus;
import org.lrwp.webapp.traffic.Compressors;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** All figures in a text format of Prometheus or OpenMetrics. Thread-safe; never blocks. */
public final class MetricsPage {
    private static final ExpositionFormats FORMATS = ExpositionFormats.init();

    private final PrometheusRegistry registry = new PrometheusRegistry();

    /**
     * Prepares the page.
     *
     * @param version of the proxy
     * @param requests counts requests
     * @param audit counts what the audit log takes down
     * @param engine gives pictures of the engine
     * @param modules gives the figures of the modules
     * @param logs says how the proxy's own logs do
     * @param traces says what has become of spans
     * @param cluster gives pictures of the cluster
     * @param compressors count what they compress
     */
    public MetricsPage(
            String version,
            RequestMetrics requests,
            AuditMetrics audit,
            EngineView engine,
            ModuleView modules,
            Supplier<LogStatus> logs,
            Supplier<TraceStatus> traces,
            Supplier<ClusterStatus> cluster,
            Compressors compressors) {
        registry.register(
                new ProxyCollector(
                        version, requests, audit, engine, modules, logs, traces, compressors));
        registry.register(new ClusterCollector(cluster));
        // Those that listen to the JVM for ever would keep the application after its undeployment.
        JvmBufferPoolMetrics.builder().register(registry);
        JvmClassLoadingMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
        JvmMemoryMetrics.builder().register(registry);
        JvmRuntimeInfoMetric.builder().register(registry);
        JvmThreadsMetrics.builder().register(registry);
        ProcessMetrics.builder().register(registry);
    }

    /**
     * The page in one format.
     *
     * @param contentType its media type with version and character set
     * @param text the page
     */
    public record Written(String contentType, String text) {}

    /**
     * Writes the page.
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
