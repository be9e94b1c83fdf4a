package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.News;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.peer.LocalPeer;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.operation.Admin;
import org.lrwp.runtime.operation.RunningModule;
import org.lrwp.webapp.config.ModuleConfig;
import org.lrwp.webapp.operations.ModuleStatus;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;

/** The modules that run inside the proxy: found by type, opened, and given to the engine. */
final class Modules implements AutoCloseable {
    /** A module and what the configuration says of its place. */
    private record Placed(ModuleConfig config, RunningModule module) {}

    private final List<Placed> all = new CopyOnWriteArrayList<>();

    private Modules() {}

    /**
     * Opens all modules; blocks while they open their files.
     *
     * @param loader sees the providers: the application's, or what stands before it
     * @param news tells the modules of other nodes; null where there are none
     * @throws StartException when one cannot be opened; none stays open
     */
    static Modules open(List<ModuleConfig> configs, ClassLoader loader, @Nullable News news) {
        Modules modules = new Modules();
        if (configs.isEmpty()) {
            return modules;
        }
        Map<String, ModuleProvider> providers = providers(loader);
        boolean complete = false;
        try {
            configs.forEach(config -> modules.add(config, providers, news));
            complete = true;
        } finally {
            if (!complete) {
                modules.close();
            }
        }
        return modules;
    }

    private static Map<String, ModuleProvider> providers(ClassLoader loader) {
        Map<String, ModuleProvider> providers = new LinkedHashMap<>();
        try {
            ServiceLoader.load(ModuleProvider.class, loader)
                    .forEach(one -> providers.put(one.type(), one));
        } catch (ServiceConfigurationError e) {
            throw new StartException("A module cannot be loaded: " + e.getMessage(), e);
        }
        return providers;
    }

    private void add(
            ModuleConfig config, Map<String, ModuleProvider> providers, @Nullable News news) {
        String key = "module." + config.name();
        ModuleProvider provider = providers.get(config.type());
        if (provider == null) {
            throw new StartException(
                    "The configuration has a fault: "
                            + key
                            + ".type = "
                            + config.type()
                            + ": allowed is "
                            + String.join(" or ", providers.keySet()),
                    null);
        }
        var start =
                new RunningModule.Start(
                        config.name(),
                        config.contexts(),
                        config.settings(),
                        config.file(),
                        new Admin(config.adminPort(), config.adminTokenFile()),
                        news == null ? null : new ModuleNeighbours(news, config.name()));
        try {
            all.add(new Placed(config, RunningModule.open(provider, start)));
        } catch (BadConfigurationException e) {
            throw new StartException(
                    "The module " + key + " cannot start: " + e.getMessage(), null);
        }
    }

    /** Gives all modules to the engine, which tells them when it drains. */
    void serve(ProxyEngine engine) {
        for (Placed placed : all) {
            ModuleConfig config = placed.config();
            RunningModule running = placed.module();
            engine.serve(
                    new LocalPeer(
                            config.name(),
                            config.contexts().stream()
                                    .map(one -> new ServedContext(one, config.virtualHost()))
                                    .toList(),
                            config.capacity(),
                            running.module().handler(),
                            running.module().isPrompt(),
                            running::drain));
        }
    }

    /** Takes down what is changed of their values, by whatever way. */
    void audit(AuditTrail audit) {
        for (Placed placed : all) {
            RunningModule running = placed.module();
            new AuditedConfiguration(running.configuration(), "module." + running.name() + ".")
                    .follow(audit);
        }
    }

    /** Pictures of all modules. */
    List<ModuleStatus> status() {
        return all.stream().map(Modules::status).toList();
    }

    private static ModuleStatus status(Placed placed) {
        RunningModule running = placed.module();
        return new ModuleStatus(
                running.name(),
                running.type(),
                placed.config().contexts(),
                running.adminPort(),
                running.configuration().refusal(),
                running.figures());
    }

    /** Ends all modules; the engine is closed before. */
    @Override
    public void close() {
        all.forEach(placed -> placed.module().close());
        all.clear();
    }
}
