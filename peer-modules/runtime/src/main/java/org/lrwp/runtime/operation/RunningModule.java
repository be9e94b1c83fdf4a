package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A module at work, with all that surrounds it: its values and their file, its bean in consoles,
 * its admin endpoint. Thread-safe.
 */
public final class RunningModule implements AutoCloseable {
    /**
     * How a module is started.
     *
     * @param name its name among all modules
     * @param contexts the contexts it serves, as users write them, at least one
     * @param settings what the command line, or the proxy's configuration, sets, by key
     * @param file the watched file with more settings; null for none
     * @param admin its admin endpoint
     */
    public record Start(
            String name,
            List<String> contexts,
            Map<String, Setting> settings,
            @Nullable Path file,
            Admin admin) {
        /** Checks and copies. */
        public Start {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(admin, "admin");
            contexts = List.copyOf(contexts);
            settings = Map.copyOf(settings);
        }
    }

    private static final System.Logger LOG = System.getLogger(RunningModule.class.getName());

    private final String name;
    private final String type;
    private final Configuration configuration;
    private final PeerModule module;
    private final AtomicBoolean drained = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable FileWatch watch;
    private @Nullable AdminEndpoint endpoint;
    private @Nullable ModuleBean bean;

    private RunningModule(
            String name, String type, Configuration configuration, PeerModule module) {
        this.name = name;
        this.type = type;
        this.configuration = configuration;
        this.module = module;
    }

    /**
     * Opens a module; blocks while it opens its files.
     *
     * @param provider the kind of module
     * @param start how it is started
     * @return the module, ready for its first request
     * @throws BadConfigurationException when it cannot run so; nothing stays open
     */
    public static RunningModule open(ModuleProvider provider, Start start)
            throws BadConfigurationException {
        Configuration configuration =
                Configuration.open(provider.keys(), start.settings(), start.file());
        PeerModule module =
                provider.open(new ModuleSetup(start.name(), start.contexts(), configuration));
        var running = new RunningModule(start.name(), provider.type(), configuration, module);
        boolean complete = false;
        try {
            running.endpoint = AdminEndpoint.open(running, start.admin());
            running.bean = ModuleBean.register(running);
            Path file = start.file();
            running.watch = file == null ? null : FileWatch.start(configuration, file);
            complete = true;
        } finally {
            if (!complete) {
                running.close();
            }
        }
        return running;
    }

    /**
     * Returns its name.
     *
     * @return unique in the proxy or program
     */
    public String name() {
        return name;
    }

    /**
     * Returns what kind of module it is.
     *
     * @return as its provider says
     */
    public String type() {
        return type;
    }

    /**
     * Returns its values.
     *
     * @return now and later
     */
    public Configuration configuration() {
        return configuration;
    }

    /**
     * Returns the module itself.
     *
     * @return always the same
     */
    public PeerModule module() {
        return module;
    }

    /**
     * Returns what there is to count.
     *
     * @return its figures now
     */
    public List<Figure> figures() {
        try {
            return module.figures();
        } catch (RuntimeException e) {
            // Status has to answer, whatever a module does.
            LOG.log(System.Logger.Level.ERROR, "figures-failed module=" + name, e);
            return List.of();
        }
    }

    /**
     * Returns where its admin endpoint listens.
     *
     * @return the port of the loopback address; -1 when there is none
     */
    public int adminPort() {
        AdminEndpoint open = endpoint;
        return open == null ? -1 : open.port();
    }

    /** Tells the module, once, that no new request comes. */
    public void drain() {
        if (drained.compareAndSet(false, true)) {
            module.drain();
        }
    }

    /** Ends the module and all that surrounds it. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        FileWatch watching = watch;
        if (watching != null) {
            watching.close();
        }
        AdminEndpoint open = endpoint;
        if (open != null) {
            open.close();
        }
        ModuleBean registered = bean;
        if (registered != null) {
            registered.close();
        }
        module.close();
    }
}
