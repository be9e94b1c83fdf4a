package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.Cluster;
import org.lrwp.cluster.ClusterStatus;
import org.lrwp.cluster.OtherNodes;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.metrics.MetricsText;
import org.lrwp.runtime.operation.Operators;
import org.lrwp.webapp.client.AddressCounts;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.DateField;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.client.StallWatch;
import org.lrwp.webapp.config.AddressLimits;
import org.lrwp.webapp.config.AdminTokens;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.RequestConfig;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.console.Console;
import org.lrwp.webapp.console.Pages;
import org.lrwp.webapp.inspector.Inspector;
import org.lrwp.webapp.inspector.Repeats;
import org.lrwp.webapp.metrics.AuditMetrics;
import org.lrwp.webapp.metrics.ClusterCollector;
import org.lrwp.webapp.metrics.ProxyCollector;
import org.lrwp.webapp.metrics.RequestMetrics;
import org.lrwp.webapp.metrics.TlsCollector;
import org.lrwp.webapp.operations.ConfigurationStatus;
import org.lrwp.webapp.operations.ContextBeans;
import org.lrwp.webapp.operations.OperationsPages;
import org.lrwp.webapp.steering.Api;
import org.lrwp.webapp.steering.ClusterSteering;
import org.lrwp.webapp.steering.OperatorAccess;
import org.lrwp.webapp.steering.RecentErrors;
import org.lrwp.webapp.steering.Sampler;
import org.lrwp.webapp.steering.Steering;
import org.lrwp.webapp.steering.Traffic;
import org.lrwp.webapp.steering.View;
import org.lrwp.webapp.traces.RequestFollower;
import org.lrwp.webapp.traces.TraceStatus;
import org.lrwp.webapp.traffic.ClientShares;
import org.lrwp.webapp.traffic.Compressors;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * What operators see and may do: metrics, status pages, runtime API, console, inspector and beans.
 * Started and closed by one thread at a time.
 */
final class OperatorSide implements AutoCloseable {
    private final String version;
    private final ConfigReader.Opened opened;
    private final Logs logs;
    private final RecentErrors errors = new RecentErrors(InstantSource.system());
    private final Traffic traffic = new Traffic(InstantSource.system());
    private final Inspector inspector;
    private final RequestMetrics requests;
    private final AuditMetrics audit;
    private @Nullable Sampler sampler;
    private @Nullable ContextBeans beans;

    /**
     * What has started and is shown.
     *
     * @param cluster null when this is the only node
     * @param handshakes of clients; it may give null
     */
    record Shown(
            ProxyEngine engine,
            Modules modules,
            @Nullable Cluster cluster,
            Compressors compressors,
            Supplier<TraceStatus> traces,
            Supplier<@Nullable TlsHandshakes> handshakes) {
        OtherNodes otherNodes() {
            return cluster == null ? OtherNodes.NONE : cluster;
        }

        ClusterStatus clusterStatus() {
            return cluster == null ? ClusterStatus.OFF : cluster.status();
        }
    }

    /** Counts from now on; nothing is shown yet. */
    OperatorSide(String version, ConfigReader.Opened opened, Logs logs) {
        WebappConfig config = opened.live().get();
        this.version = version;
        this.opened = opened;
        this.logs = logs;
        this.inspector =
                new Inspector(
                        () -> opened.live().get().request().traffic(), InstantSource.system());
        this.requests = new RequestMetrics(this::ended, config.status().metricContexts());
        this.audit = logs.trail();
    }

    /** Is told of the end of each request. */
    ExchangeListener requests() {
        return requests;
    }

    AuditMetrics audit() {
        return audit;
    }

    /**
     * What all clients share, with the operators told of what they do.
     *
     * @param stalls looks at slow clients
     * @param follower decides who follows a request
     */
    ClientSettings clientSettings(
            StallWatch stalls, Compressors compressors, RequestFollower follower) {
        Supplier<RequestConfig> limits = () -> opened.live().get().request();
        AddressLimits perAddress = limits.get().client().perAddress();
        return new ClientSettings(
                limits,
                NanoClock.SYSTEM,
                stalls,
                new DateField(InstantSource.system()),
                requests,
                AddressCounts.of("requests", perAddress.requests(), perAddress),
                new ClientShares(NanoClock.SYSTEM),
                compressors,
                inspector,
                follower);
    }

    private void ended(ExchangeRecord exchange) {
        exchange.details().trace().ended(exchange);
        logs.access().ended(exchange);
        errors.ended(exchange);
        traffic.ended(exchange);
        inspector.ended(exchange);
    }

    /**
     * Makes the pages.
     *
     * @param ids for requests that are repeated
     * @throws StartException when the operators' tokens cannot be read
     */
    OwnPages pages(Shown shown, RequestIds ids) {
        View view = view(shown);
        Steering steering = steering(shown, ids);
        var operators =
                new Operators(
                        tokens(opened.live().get().admin().tokenFile()),
                        NanoClock.SYSTEM::nanos,
                        "admin.token-file");
        var access =
                new OperatorAccess(
                        operators,
                        () -> opened.live().get().admin().certificates(),
                        InstantSource.system());
        var api = new Api(view, steering, access, audit);
        var console =
                new Console(
                        view,
                        steering,
                        access,
                        audit,
                        () -> opened.live().get().admin().sessionTime());
        return new Pages(statusPages(shown), api, console);
    }

    private View view(Shown shown) {
        Instant start = Instant.now();
        return new View(
                version,
                () -> Duration.between(start, Instant.now()),
                shown.engine()::status,
                shown.modules()::status,
                opened.configuration(),
                errors,
                traffic,
                inspector,
                shown::clusterStatus);
    }

    private Steering steering(Shown shown, RequestIds ids) {
        ProxyEngine engine = shown.engine();
        return new Steering(
                engine.commands(),
                opened.configuration(),
                audit,
                new Repeats(inspector, engine, () -> opened.live().get().request(), ids),
                new ClusterSteering(engine.commands(), shown::otherNodes, audit));
    }

    private OperationsPages statusPages(Shown shown) {
        MetricsText metrics = metrics(shown);
        return new OperationsPages(
                () -> opened.live().get().status(),
                version,
                shown.engine()::status,
                shown.modules()::status,
                logs::status,
                this::configurationStatus,
                shown::clusterStatus,
                accept -> page(metrics.write(accept)),
                requests);
    }

    private MetricsText metrics(Shown shown) {
        ProxyEngine engine = shown.engine();
        return new MetricsText(
                List.of(
                        new ProxyCollector(
                                version,
                                requests,
                                audit,
                                engine::status,
                                shown.modules()::status,
                                logs::status,
                                shown.traces(),
                                shown.compressors()),
                        new ClusterCollector(shown::clusterStatus),
                        new TlsCollector(engine::tlsHandshakes, shown.handshakes())));
    }

    private static OperationsPages.Page page(MetricsText.Written written) {
        return new OperationsPages.Page(200, written.contentType(), written.text());
    }

    private ConfigurationStatus configurationStatus() {
        Configuration configuration = opened.configuration();
        Path file = configuration.file();
        return new ConfigurationStatus(
                file == null ? "" : file.toString(),
                configuration.refusal(),
                configuration.waiting());
    }

    private static List<Operators.Named> tokens(@Nullable Path file) {
        try {
            return file == null
                    ? List.of()
                    : AdminTokens.read("admin.token-file", file).entrySet().stream()
                            .map(one -> new Operators.Named(one.getKey(), one.getValue()))
                            .toList();
        } catch (BadConfigurationException e) {
            throw new StartException("The token cannot be read: " + e.getMessage(), null);
        }
    }

    /**
     * Shows contexts as beans, and begins to sample the traffic.
     *
     * @param root context root of the application
     */
    void showContexts(String root, ProxyEngine engine) {
        Sampler looks = Sampler.start(traffic);
        sampler = looks;
        var made =
                new ContextBeans(
                        root,
                        engine::status,
                        requests,
                        requests.mostContexts(),
                        NanoClock.SYSTEM::nanos);
        beans = made;
        looks.every(ContextBeans.STEP, made::look);
    }

    @Override
    public void close() {
        Closing.quietly(sampler);
        Closing.quietly(beans);
    }
}
