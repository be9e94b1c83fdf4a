package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The values of a program or module, now and later.
 *
 * <p>Purpose: whatever changes them, all of them are valid together at each moment. Design: a
 * change is checked as a whole, also by the parts that use the values, and then takes effect as a
 * whole; a bad one changes nothing. At the start a later place wins: default, file, command line or
 * the proxy's configuration. Afterwards the last change wins: what has changed in the watched file,
 * or what a console or the admin endpoint set, which lasts until the next start or until that line
 * of the file changes.
 *
 * <p>Thread-safe. Reading never waits; a change waits for another one.
 */
public final class Configuration {
    private static final System.Logger LOG = System.getLogger(Configuration.class.getName());

    private final List<Key<?>> keys;
    private final @Nullable Path file;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Bound<?>> parts = new CopyOnWriteArrayList<>();
    private Layers layers;
    private volatile Values values;
    private volatile String refusal = "";

    private Configuration(List<Key<?>> keys, @Nullable Path file, Layers layers, Values values) {
        this.keys = keys;
        this.file = file;
        this.layers = layers;
        this.values = values;
    }

    /**
     * Reads the values at the start; blocks while the file is read.
     *
     * @param keys all that can be set
     * @param start what the command line, or the proxy's configuration, sets, by name
     * @param file the file; null for none
     * @return the configuration
     * @throws BadConfigurationException with all faults at once
     */
    public static Configuration open(
            List<Key<?>> keys, Map<String, Setting> start, @Nullable Path file)
            throws BadConfigurationException {
        List<Key<?>> known = List.copyOf(keys);
        Map<String, Setting> inFile = file == null ? Map.of() : SettingsFile.read(file);
        Layers layers = new Layers(inFile, start, Map.of());
        List<String> faults = new ArrayList<>();
        Values values = new Values(known, layers.merged(), faults);
        if (!faults.isEmpty()) {
            throw new BadConfigurationException(faults);
        }
        return new Configuration(known, file, layers, values);
    }

    /**
     * Returns the values of this moment.
     *
     * @return all of them
     */
    public Values values() {
        return values;
    }

    /**
     * Binds a part of the program to the values.
     *
     * @param <C> an immutable record of that part
     * @param reader makes the record; throws an {@code IllegalArgumentException} with a sentence
     *     when values do not fit together, which refuses the change. Called under the lock: it must
     *     not block for long
     * @return the record, always up to date
     * @throws BadConfigurationException when the present values do not fit together
     */
    public <C> Live<C> bind(Function<Values, C> reader) throws BadConfigurationException {
        lock.lock();
        try {
            Bound<C> part = new Bound<>(reader, values);
            parts.add(part);
            return part;
        } catch (IllegalArgumentException e) {
            throw new BadConfigurationException(String.valueOf(e.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets values until the next start.
     *
     * @param texts by name, all of them or none
     * @param origin a passing one
     * @throws BadConfigurationException when that cannot be; nothing has changed
     */
    public void set(Map<String, String> texts, Origin origin) throws BadConfigurationException {
        if (!origin.isPassing()) {
            throw new IllegalArgumentException("not a passing origin: " + origin);
        }
        Map<String, Setting> settings = new HashMap<>();
        texts.forEach((name, text) -> settings.put(name, new Setting(text, origin)));
        change(() -> layers.with(settings));
    }

    /**
     * Takes back what {@link #set} has set.
     *
     * @param name the name of a setting
     * @throws BadConfigurationException when that cannot be; nothing has changed
     */
    public void reset(String name) throws BadConfigurationException {
        if (Values.keyOf(keys, name) == null) {
            throw new BadConfigurationException("unknown key " + name);
        }
        change(() -> layers.without(name));
    }

    /**
     * Reads the file again; blocks on the disk.
     *
     * @throws BadConfigurationException when it cannot be used; nothing has changed
     */
    public void readFile() throws BadConfigurationException {
        Path source = file;
        if (source == null) {
            return;
        }
        try {
            Map<String, Setting> read = SettingsFile.read(source);
            change(() -> layers.withFile(read));
            refusal = "";
        } catch (BadConfigurationException e) {
            refusal = String.valueOf(e.getMessage());
            throw e;
        }
    }

    /**
     * Returns the watched file.
     *
     * @return its path, null when there is none
     */
    public @Nullable Path file() {
        return file;
    }

    /**
     * Says why the file as it is now is not in use.
     *
     * @return a sentence; empty when it is in use
     */
    public String refusal() {
        return refusal;
    }

    /** Makes the next layers; called under the lock. */
    @FunctionalInterface
    private interface Step {
        Layers next();
    }

    private void change(Step step) throws BadConfigurationException {
        Values before;
        Values after;
        lock.lock();
        try {
            Layers next = step.next();
            List<String> faults = new ArrayList<>();
            before = values;
            after = new Values(keys, next.merged(), faults);
            checkStartKeys(before, after, faults);
            List<Runnable> takeEffect = faults.isEmpty() ? prepare(after, faults) : List.of();
            if (!faults.isEmpty()) {
                throw new BadConfigurationException(faults);
            }
            layers = next;
            values = after;
            takeEffect.forEach(Runnable::run);
        } finally {
            lock.unlock();
        }
        if (log(before, after)) {
            parts.forEach(Bound::tell);
        }
    }

    private static List<String> names(Values before, Values after) {
        Map<String, Boolean> names = new LinkedHashMap<>();
        before.entries().forEach(entry -> names.put(entry.name(), true));
        after.entries().forEach(entry -> names.put(entry.name(), true));
        return List.copyOf(names.keySet());
    }

    private void checkStartKeys(Values before, Values after, List<String> faults) {
        for (String name : names(before, after)) {
            Key<?> key = Values.keyOf(keys, name);
            if (key != null
                    && key.use() != Key.Use.LIVE
                    && !before.text(name).equals(after.text(name))) {
                faults.add(
                        name
                                + " ("
                                + after.origin(name)
                                + ") cannot change while the program runs: start it again");
            }
        }
    }

    private List<Runnable> prepare(Values next, List<String> faults) {
        List<Runnable> takeEffect = new ArrayList<>();
        for (Bound<?> part : parts) {
            try {
                takeEffect.add(part.prepare(next));
            } catch (IllegalArgumentException e) {
                faults.add(String.valueOf(e.getMessage()));
            }
        }
        return takeEffect;
    }

    /** Logs what has changed; false when nothing has. */
    private boolean log(Values before, Values after) {
        boolean changed = false;
        for (String name : names(before, after)) {
            if (before.text(name).equals(after.text(name))) {
                continue;
            }
            changed = true;
            LOG.log(
                    Level.INFO,
                    "configuration-changed name={0} value=\"{1}\" before=\"{2}\" origin=\"{3}\"",
                    name,
                    after.text(name),
                    before.text(name),
                    after.origin(name));
        }
        return changed;
    }
}
