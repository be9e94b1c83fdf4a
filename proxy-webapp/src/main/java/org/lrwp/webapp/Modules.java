package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.News;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.webapp.config.ModuleConfig;
import org.lrwp.webapp.operations.ModuleStatus;

import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The modules that run inside the proxy: found by type, opened, and given to the engine.
 *
 * <p>Purpose: they come and go with the configuration while the proxy runs, and one that fails
 * touches no other. Design: changes are made one after the other on a thread of their own, as they
 * open files and wait for requests; whoever changes the configuration does not wait for that.
 */
final class Modules implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Modules.class.getName());
    private static final long LAST_SECONDS = 30;

    private final ClassLoader loader;
    private final @Nullable News news;
    private final List<PlacedModule> all = new CopyOnWriteArrayList<>();
    private final ExecutorService changes =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("lrwp-modules").factory());
    private volatile List<ModuleConfig> wanted;
    private @Nullable ModuleSurroundings surroundings;

    private Modules(List<ModuleConfig> wanted, ClassLoader loader, @Nullable News news) {
        this.wanted = wanted;
        this.loader = loader;
        this.news = news;
    }

    /**
     * Opens all modules; blocks while they open their files.
     *
     * @param loader sees the providers: the application's, or what stands before it
     * @param news tells the modules of other nodes; null where there are none
     * @throws StartException when one cannot be opened; none stays open
     */
    static Modules open(List<ModuleConfig> configs, ClassLoader loader, @Nullable News news) {
        Modules modules = new Modules(configs, loader, news);
        boolean complete = false;
        try {
            configs.forEach(modules::openFirst);
            complete = true;
        } finally {
            if (!complete) {
                modules.all.forEach(PlacedModule::close);
            }
        }
        return modules;
    }

    private void openFirst(ModuleConfig config) {
        PlacedModule placed = new PlacedModule(config, news);
        try {
            placed.open(config, provider(config));
        } catch (BadConfigurationException e) {
            throw new StartException(
                    "The module module." + config.name() + " cannot start: " + e.getMessage(),
                    null);
        }
        all.add(placed);
    }

    private ModuleProvider provider(ModuleConfig config) throws BadConfigurationException {
        Map<String, ModuleProvider> providers = new LinkedHashMap<>();
        try {
            ServiceLoader.load(ModuleProvider.class, loader)
                    .forEach(one -> providers.put(one.type(), one));
        } catch (ServiceConfigurationError e) {
            throw new BadConfigurationException("a module cannot be loaded: " + e.getMessage());
        }
        ModuleProvider provider = providers.get(config.type());
        if (provider == null) {
            throw new BadConfigurationException(
                    "module."
                            + config.name()
                            + ".type = "
                            + config.type()
                            + ": allowed is "
                            + String.join(" or ", providers.keySet()));
        }
        return provider;
    }

    /** Gives all modules to the engine, which tells them when it drains. */
    void serve(ModuleSurroundings around) {
        surroundings = around;
        all.forEach(placed -> placed.serve(around));
    }

    /**
     * Has what the configuration says of modules from now on come true, soon: what is new is
     * opened, what is gone drains and ends, what cannot change while it runs is replaced. One that
     * failed is tried again.
     */
    void change(List<ModuleConfig> configs) {
        if (!configs.equals(wanted)) {
            wanted = configs;
            changes.execute(this::follow);
        }
    }

    /** Each step leaves the others alone, whatever it meets. */
    private void follow() {
        List<ModuleConfig> now = wanted;
        ModuleSurroundings around = surroundings;
        if (around == null || around.engine().isDraining()) {
            return;
        }
        around.reserve().run();
        List<PlacedModule> gone =
                all.stream().filter(placed -> !isWanted(placed.name(), now)).toList();
        for (PlacedModule placed : gone) {
            placed.end(around.drainTime().get());
            all.remove(placed);
        }
        for (ModuleConfig config : now) {
            try {
                follow(config, around);
            } catch (RuntimeException | LinkageError e) {
                LOG.log(Level.ERROR, "module-failed module=" + config.name(), e);
            }
        }
    }

    private static boolean isWanted(String name, List<ModuleConfig> configs) {
        return configs.stream().anyMatch(config -> config.name().equals(name));
    }

    private void follow(ModuleConfig config, ModuleSurroundings around) {
        PlacedModule placed = placed(config);
        if (!placed.isOpen()) {
            start(placed, config, around);
            return;
        }
        try {
            // A fault is found before the module that runs is touched.
            Configuration.open(provider(config).keys(), config.settings(), config.file());
            if (placed.takes(config)) {
                return;
            }
        } catch (BadConfigurationException e) {
            placed.keep(String.valueOf(e.getMessage()));
            return;
        }
        placed.end(around.drainTime().get());
        start(placed, config, around);
    }

    private PlacedModule placed(ModuleConfig config) {
        for (PlacedModule placed : all) {
            if (placed.name().equals(config.name())) {
                return placed;
            }
        }
        PlacedModule placed = new PlacedModule(config, news);
        all.add(placed);
        return placed;
    }

    private void start(PlacedModule placed, ModuleConfig config, ModuleSurroundings around) {
        try {
            placed.open(config, provider(config));
            placed.serve(around);
        } catch (BadConfigurationException e) {
            placed.fail(config, String.valueOf(e.getMessage()));
        }
    }

    /** Pictures of all modules. */
    List<ModuleStatus> status() {
        return all.stream().map(PlacedModule::status).toList();
    }

    /** Ends all modules; the engine is closed before. */
    @Override
    public void close() {
        changes.shutdownNow();
        try {
            if (!changes.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "module-change-not-ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(PlacedModule::close);
        all.clear();
    }
}
