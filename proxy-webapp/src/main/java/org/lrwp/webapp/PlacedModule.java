package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.News;
import org.lrwp.engine.peer.LocalPeer;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.local.LocalConnection;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.operation.Admin;
import org.lrwp.runtime.operation.RunningModule;
import org.lrwp.webapp.config.ModuleConfig;
import org.lrwp.webapp.operations.ModuleStatus;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A module of the configuration, whether it runs or not. One thread at a time changes it; any
 * thread looks at it.
 *
 * <pre>
 *   FAILED <--cannot be opened-- STOPPED --served--> RUNNING --end--> DRAINING --> STOPPED
 * </pre>
 */
final class PlacedModule {
    private static final System.Logger LOG = System.getLogger(PlacedModule.class.getName());

    private final String name;
    private final @Nullable News news;
    private volatile ModuleConfig config;
    private volatile ModuleStatus.State state = ModuleStatus.State.STOPPED;
    private volatile String reason = "";
    private volatile @Nullable RunningModule running;
    private @Nullable LocalConnection connection;
    private @Nullable ModuleNeighbours neighbours;

    /**
     * Makes one that does not run.
     *
     * @param news what modules of the same name at other nodes say; null without a cluster
     */
    PlacedModule(ModuleConfig config, @Nullable News news) {
        this.news = news;
        this.name = config.name();
        this.config = config;
    }

    String name() {
        return name;
    }

    boolean isOpen() {
        return running != null;
    }

    /** Opens it; blocks while it opens its files. */
    void open(ModuleConfig wanted, ModuleProvider provider) throws BadConfigurationException {
        config = wanted;
        neighbours = news == null ? null : new ModuleNeighbours(news, name);
        boolean complete = false;
        try {
            running =
                    RunningModule.open(
                            provider,
                            new RunningModule.Start(
                                    name,
                                    wanted.contexts(),
                                    wanted.settings(),
                                    wanted.file(),
                                    new Admin(wanted.adminPort(), wanted.adminTokenFile()),
                                    neighbours));
            complete = true;
        } finally {
            if (!complete) {
                leaveNeighbours();
            }
        }
        reason = "";
    }

    /** Gives it to the engine; it runs once requests reach it. */
    void serve(ModuleSurroundings around) {
        RunningModule module = running;
        if (module == null) {
            return;
        }
        new AuditedConfiguration(module.configuration(), "module." + name + ".")
                .follow(around.audit());
        connection =
                around.engine()
                        .serve(
                                new LocalPeer(
                                        name,
                                        config.contexts().stream()
                                                .map(
                                                        one ->
                                                                new ServedContext(
                                                                        one, config.virtualHost()))
                                                .toList(),
                                        config.capacity(),
                                        module.module().handler(),
                                        module.module().isPrompt(),
                                        module::drain));
        state = ModuleStatus.State.RUNNING;
        LOG.log(Level.INFO, "module-started module={0} type={1}", name, config.type());
    }

    /**
     * Takes what has changed of its own settings while it runs.
     *
     * @return false when that needs a start
     * @throws BadConfigurationException when it cannot be; nothing has changed
     */
    boolean takes(ModuleConfig wanted) throws BadConfigurationException {
        RunningModule module = running;
        if (module == null || !config.isPlacedAs(wanted)) {
            return false;
        }
        Map<String, Setting> changed = config.changedIn(wanted);
        Set<String> missing = config.missingIn(wanted);
        Configuration own = module.configuration();
        if (!changed.keySet().stream().allMatch(own::isLive)
                || !missing.stream().allMatch(own::isLive)) {
            return false;
        }
        if (!changed.isEmpty() || !missing.isEmpty()) {
            own.changeStart(changed, missing);
        }
        config = wanted;
        reason = "";
        return true;
    }

    /** What the configuration says now is not used. */
    void keep(String why) {
        reason = why;
        LOG.log(Level.WARNING, "module-kept module={0} reason=\"{1}\"", name, why);
    }

    /** It could not be opened. */
    void fail(ModuleConfig wanted, String why) {
        config = wanted;
        reason = why;
        state = ModuleStatus.State.FAILED;
        LOG.log(Level.WARNING, "module-not-started module={0} reason=\"{1}\"", name, why);
    }

    /** Lets it answer its last requests, and ends it; blocks. */
    void end(Duration most) {
        state = ModuleStatus.State.DRAINING;
        LocalConnection served = connection;
        try {
            if (served != null) {
                served.leave(most);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
        LOG.log(Level.INFO, "module-ended module={0}", name);
    }

    /** Ends it at once. */
    void close() {
        RunningModule module = running;
        connection = null;
        running = null;
        state = ModuleStatus.State.STOPPED;
        leaveNeighbours();
        if (module != null) {
            module.close();
        }
    }

    private void leaveNeighbours() {
        ModuleNeighbours joined = neighbours;
        neighbours = null;
        if (joined != null) {
            joined.close();
        }
    }

    ModuleStatus status() {
        RunningModule module = running;
        String refusal =
                reason.isEmpty() && module != null ? module.configuration().refusal() : reason;
        return new ModuleStatus(
                name,
                config.type(),
                config.contexts(),
                state,
                module == null ? -1 : module.adminPort(),
                refusal,
                module == null ? List.of() : module.figures());
    }
}
