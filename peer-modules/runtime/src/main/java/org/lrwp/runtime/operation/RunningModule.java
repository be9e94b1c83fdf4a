package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.module.Action;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.Neighbours;
import org.lrwp.runtime.module.PeerModule;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** A module at work, with its values and all that surrounds it. Thread-safe. */
public final class RunningModule implements Operated, AutoCloseable {
    /**
     * How a module is started.
     *
     * @param name its name among all modules
     * @param contexts the contexts it serves, as users write them, at least one
     * @param settings what the command line, or the proxy's configuration, sets, by key
     * @param file the watched file with more settings; null for none
     * @param admin its admin endpoint
     * @param neighbours those of its name at other proxies; null for none
     */
    public record Start(
            String name,
            List<String> contexts,
            Map<String, Setting> settings,
            @Nullable Path file,
            Admin admin,
            @Nullable Neighbours neighbours) {
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
    private final List<Action> more = new CopyOnWriteArrayList<>();
    private @Nullable Operation operation;

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
                provider.open(
                        new ModuleSetup(
                                start.name(), start.contexts(), configuration, start.neighbours()));
        var running = new RunningModule(start.name(), provider.type(), configuration, module);
        boolean complete = false;
        try {
            running.operation = Operation.open(running, start.admin());
            complete = true;
        } finally {
            if (!complete) {
                running.close();
            }
        }
        return running;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String type() {
        return type;
    }

    @Override
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

    @Override
    public List<Figure> figures() {
        try {
            return module.figures();
        } catch (RuntimeException e) {
            // Status has to answer, whatever a module does.
            LOG.log(System.Logger.Level.ERROR, "figures-failed module=" + name, e);
            return List.of();
        }
    }

    @Override
    public List<Action> actions() {
        List<Action> all = new ArrayList<>(module.actions());
        all.addAll(more);
        return all;
    }

    /**
     * Adds what the program around the module can do.
     *
     * @param action one that the module does not have
     */
    public void add(Action action) {
        more.add(action);
    }

    /**
     * Returns where its admin endpoint listens.
     *
     * @return the port of the loopback address; -1 when there is none
     */
    public int adminPort() {
        Operation open = operation;
        return open == null ? -1 : open.adminPort();
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
        Operation open = operation;
        if (open != null) {
            open.close();
        }
        module.close();
    }
}
