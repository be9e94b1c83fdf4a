package org.lrwp.webapp.operations;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.ClusterStatus;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.network.Network;
import org.lrwp.webapp.config.StatusConfig;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The pages under {@code /-/}: status, metrics and health. Only for those whom the configuration
 * names, by address and by Host (else a web page could read them through an operator's browser),
 * and not through another proxy. Thread-safe; never blocks.
 */
public final class OperationsPages {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain;charset=utf-8";

    /**
     * A page.
     *
     * @param status HTTP status; above 399 with an empty text the usual error is meant
     * @param contentType type of the text
     * @param text the page
     */
    public record Page(int status, String contentType, String text) {
        /** Checks that nothing is missing. */
        public Page {
            Objects.requireNonNull(contentType, "contentType");
            Objects.requireNonNull(text, "text");
        }

        static Page error(int status) {
            return new Page(status, TEXT, "");
        }

        /**
         * Returns the page as it is sent.
         *
         * @return UTF-8
         */
        public byte[] bytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    private final Supplier<StatusConfig> allowed;
    private final String version;
    private final EngineView engine;
    private final ModuleView modules;
    private final Supplier<LogStatus> logs;
    private final Supplier<ConfigurationStatus> configuration;
    private final Supplier<ClusterStatus> cluster;
    private final Function<@Nullable String, Page> metrics;
    private final ContextTotals.View totals;

    /**
     * Creates the pages.
     *
     * @param allowed who is answered, and what makes the proxy ready
     * @param version of the proxy
     * @param engine gives pictures of the engine
     * @param modules gives the figures of the modules
     * @param logs says how the proxy's own logs do
     * @param configuration gives pictures of the configuration
     * @param cluster gives pictures of the cluster
     * @param metrics writes the metrics in the format that an Accept asks for
     * @param totals adds up the requests of contexts
     */
    public OperationsPages(
            Supplier<StatusConfig> allowed,
            String version,
            EngineView engine,
            ModuleView modules,
            Supplier<LogStatus> logs,
            Supplier<ConfigurationStatus> configuration,
            Supplier<ClusterStatus> cluster,
            Function<@Nullable String, Page> metrics,
            ContextTotals.View totals) {
        this.allowed = Objects.requireNonNull(allowed, "allowed");
        this.configuration = Objects.requireNonNull(configuration, "configuration");
        this.version = Objects.requireNonNull(version, "version");
        this.engine = Objects.requireNonNull(engine, "engine");
        this.modules = Objects.requireNonNull(modules, "modules");
        this.metrics = Objects.requireNonNull(metrics, "metrics");
        this.logs = Objects.requireNonNull(logs, "logs");
        this.cluster = Objects.requireNonNull(cluster, "cluster");
        this.totals = Objects.requireNonNull(totals, "totals");
    }

    /**
     * Answers a request.
     *
     * @param head the request
     * @param path its path below the context root
     * @return the page
     */
    public Page page(RequestHead head, String path) {
        if (!allows(head)) {
            return Page.error(403);
        }
        if (!head.method().equals("GET") && !head.method().equals("HEAD")) {
            return Page.error(405);
        }
        return switch (path) {
            case "/-/status" -> new Page(200, JSON, status() + "\n");
            case "/-/metrics" -> metrics.apply(head.first("Accept"));
            case "/-/health/live" -> new Page(200, TEXT, "live\n");
            case "/-/health/ready" -> ready(engine.status());
            default -> Page.error(404);
        };
    }

    private String status() {
        return StatusJson.text(
                engine.status(),
                modules.modules(),
                version,
                new StatusJson.Surroundings(
                        logs.get(), configuration.get(), cluster.get(), totals));
    }

    /**
     * Says whether somebody gets to see what is under {@code /-/}.
     *
     * @param head his request
     * @return whether the configuration names him
     */
    public boolean allows(RequestHead head) {
        StatusConfig config = allowed.get();
        if (!Network.anyContains(config.networks(), head.connection().remoteAddress())) {
            return false;
        }
        Set<String> hosts = config.hosts();
        if (!hosts.contains("*") && !hosts.contains(head.authority().virtualHost())) {
            return false;
        }
        return config.forwarded() || !head.isForwarded();
    }

    private Page ready(EngineStatus status) {
        if (!status.listening() || status.draining()) {
            return new Page(503, TEXT, status.draining() ? "draining\n" : "not listening\n");
        }
        if (status.drained()) {
            return new Page(503, TEXT, "drained\n");
        }
        Set<String> missing = new TreeSet<>(allowed.get().readyContexts());
        for (ContextStatus context : status.contexts()) {
            if (context.served()) {
                missing.remove(context.context());
            }
        }
        return missing.isEmpty()
                ? new Page(200, TEXT, "ready\n")
                : new Page(503, TEXT, "no peer for " + String.join(" ", missing) + "\n");
    }
}
