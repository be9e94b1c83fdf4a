package org.lrwp.webapp.steering;

import org.lrwp.cluster.ClusterStatus;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.webapp.inspector.Inspector;
import org.lrwp.webapp.operations.EngineView;
import org.lrwp.webapp.operations.ModuleView;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What an operator sees.
 *
 * @param version of the proxy
 * @param uptime since when it runs
 * @param engine gives pictures of the engine
 * @param modules gives the figures of the modules
 * @param configuration of the proxy
 * @param errors the last failures
 * @param traffic of the last hour
 * @param inspector keeps requests
 * @param cluster gives pictures of the cluster
 */
public record View(
        String version,
        Supplier<Duration> uptime,
        EngineView engine,
        ModuleView modules,
        Configuration configuration,
        RecentErrors errors,
        Traffic traffic,
        Inspector inspector,
        Supplier<ClusterStatus> cluster) {
    /** Checks that nothing is missing. */
    public View {
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(uptime, "uptime");
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(modules, "modules");
        Objects.requireNonNull(configuration, "configuration");
        Objects.requireNonNull(errors, "errors");
        Objects.requireNonNull(traffic, "traffic");
        Objects.requireNonNull(inspector, "inspector");
        Objects.requireNonNull(cluster, "cluster");
    }
}
