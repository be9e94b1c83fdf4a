package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The values of a program or module, now and later.
 *
 * <p>Purpose: whatever changes them, all of them are valid together at each moment. Design: a
 * change is checked as a whole, also by the parts that use the values, and then takes effect as a
 * whole; a bad one changes nothing. At the start a later place wins: default, file, command line or
 * the proxy's configuration. Afterwards the last change wins: what has changed in the watched file
 * (where a key may change only at the start, it waits for the next one), or what a console or the
 * admin endpoint set, which lasts until the next start or until that line of the file changes. What
 * is gone from the file has the value of the start again.
 *
 * <p>Thread-safe. Reading never waits; a change waits for another one.
 */
public final class Configuration {
    private static final System.Logger LOG = System.getLogger(Configuration.class.getName());

    private final Schema schema;
    private final Sources sources;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Bound<?>> parts = new CopyOnWriteArrayList<>();
    private final List<Witness> witnesses = new CopyOnWriteArrayList<>();
    private Layers layers;
    private volatile Values values;
    private volatile String refusal = "";
    private volatile Map<String, String> waiting = Map.of();

    private Configuration(Schema schema, Sources sources, Layers layers, Values values) {
        this.schema = schema;
        this.sources = sources;
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
        return open(Schema.of(keys), new Sources(Map.of(), file, FileFormat.LINES, start));
    }

    /**
     * Reads the values at the start; blocks while the file is read.
     *
     * @param schema all that can be set
     * @param sources where it may be set
     * @return the configuration
     * @throws BadConfigurationException with all faults at once
     */
    public static Configuration open(Schema schema, Sources sources)
            throws BadConfigurationException {
        List<String> faults = new ArrayList<>();
        Path file = sources.file();
        Map<String, Setting> inFile =
                file == null ? Map.of() : SettingsFile.read(file, sources.format(), faults);
        Layers layers = Layers.opened(sources.defaults(), inFile, sources.start());
        Values values = checked(schema, layers.merged(), faults);
        if (!faults.isEmpty()) {
            throw new BadConfigurationException(faults);
        }
        return new Configuration(schema, sources, layers, values);
    }

    private static Values checked(
            Schema schema, Map<String, Setting> settings, List<String> faults) {
        Values values = new Values(schema.keys(), settings, faults);
        schema.rules().forEach(rule -> rule.check(values, faults::add));
        return values;
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
        change(
                origin,
                () -> {
                    List<String> faults = new ArrayList<>();
                    settings.forEach((name, setting) -> requireLive(name, setting, faults));
                    if (!faults.isEmpty()) {
                        throw new BadConfigurationException(faults);
                    }
                    return layers.with(settings);
                });
    }

    private void requireLive(String name, Setting setting, List<String> faults) {
        boolean same = values.text(name).equals(setting.text().strip());
        if (Values.keyOf(schema.keys(), name) != null && !isLive(name) && !same) {
            faults.add(
                    name
                            + " ("
                            + setting.origin()
                            + ") cannot change while the program runs: start it again");
        }
    }

    /**
     * Says whether a setting may change while the program runs.
     *
     * @param name of a setting
     * @return true too when there is no such key
     */
    public boolean isLive(String name) {
        Key<?> key = Values.keyOf(schema.keys(), name);
        return key == null || key.isLive();
    }

    /**
     * Takes a change of what was set at the start, as if it had been so from the beginning.
     *
     * @param set what is set now, by name
     * @param removed names of what is not set any more
     * @throws BadConfigurationException when that cannot be, or needs a start; nothing has changed
     */
    public void changeStart(Map<String, Setting> set, Set<String> removed)
            throws BadConfigurationException {
        Origin origin = new Origin(Origin.Kind.START, "");
        change(
                origin,
                () -> {
                    Layers next = layers.withStart(set, removed);
                    List<String> faults = new ArrayList<>();
                    set.forEach((name, setting) -> requireLive(name, setting, faults));
                    for (String name : removed) {
                        if (!isLive(name)) {
                            faults.add(name + " cannot be taken back while the program runs");
                        }
                    }
                    if (!faults.isEmpty()) {
                        throw new BadConfigurationException(faults);
                    }
                    return next;
                });
    }

    /**
     * Takes back what {@link #set} has set.
     *
     * @param name the name of a setting
     * @param origin who wants it
     * @throws BadConfigurationException when that cannot be; nothing has changed
     */
    public void reset(String name, Origin origin) throws BadConfigurationException {
        change(
                origin,
                () -> {
                    if (Values.keyOf(schema.keys(), name) == null) {
                        throw new BadConfigurationException("unknown key " + name);
                    }
                    return layers.without(name);
                });
    }

    /**
     * Adds who is told of all changes from now on, and of those that were refused.
     *
     * @param witness told until the end
     */
    public void witness(Witness witness) {
        witnesses.add(witness);
    }

    /**
     * Tells the witnesses that somebody may not change anything.
     *
     * @param origin who wanted to
     * @param reason why not
     */
    public void refuse(Origin origin, String reason) {
        witnesses.forEach(one -> one.refused(origin, reason));
    }

    /**
     * Reads the file again; blocks on the disk. What may change only at the start waits for the
     * next one; the rest takes effect. Witnesses are told of a refusal unless it is the last one.
     *
     * @throws BadConfigurationException when it cannot be used; nothing has changed
     */
    public void readFile() throws BadConfigurationException {
        Path source = sources.file();
        if (source == null) {
            return;
        }
        Origin origin = new Origin(Origin.Kind.FILE, source.toString());
        try {
            List<String> faults = new ArrayList<>();
            Map<String, Setting> read = SettingsFile.read(source, sources.format(), faults);
            if (!faults.isEmpty()) {
                throw new BadConfigurationException(faults);
            }
            change(origin, () -> layers.withFile(read, this::isLive), () -> refusal = "");
        } catch (BadConfigurationException e) {
            String reason = String.valueOf(e.getMessage());
            // A file that is refused is tried again and again: once is enough to be told.
            if (!reason.equals(refusal)) {
                refusal = reason;
                refuse(origin, reason);
            }
            throw e;
        }
    }

    /**
     * Returns the watched file.
     *
     * @return its path, null when there is none
     */
    public @Nullable Path file() {
        return sources.file();
    }

    /**
     * Says what stands in the file and takes effect at the next start.
     *
     * @return names of settings, sorted
     */
    public List<String> waiting() {
        return List.copyOf(waiting.keySet());
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
        Layers next() throws BadConfigurationException;
    }

    private void change(Origin origin, Step step) throws BadConfigurationException {
        try {
            change(origin, step, () -> {});
        } catch (BadConfigurationException e) {
            refuse(origin, String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /**
     * Takes the next step.
     *
     * @param origin who wants it
     * @param used run when its values are found good, before anybody sees them
     */
    private void change(Origin origin, Step step, Runnable used) throws BadConfigurationException {
        Values before;
        Values after;
        lock.lock();
        try {
            Layers next = step.next();
            List<String> faults = new ArrayList<>();
            before = values;
            Values wanted = checked(schema, next.merged(), faults);
            if (faults.isEmpty()) {
                prepare(wanted, faults);
            }
            Map<String, String> later = later(before, wanted);
            after = faults.isEmpty() ? now(before, wanted, later.keySet(), faults) : wanted;
            List<Runnable> takeEffect = faults.isEmpty() ? prepare(after, faults) : List.of();
            if (!faults.isEmpty()) {
                throw new BadConfigurationException(faults);
            }
            layers = next;
            values = after;
            used.run();
            tellWaiting(later, wanted);
            takeEffect.forEach(Runnable::run);
        } finally {
            lock.unlock();
        }
        if (log(before, after)) {
            witnesses.forEach(one -> one.changed(origin, before, after));
            parts.forEach(Bound::tell);
        }
    }

    /** What only the next start may change: the texts that are wanted, by name. */
    private Map<String, String> later(Values before, Values wanted) {
        Map<String, String> later = new TreeMap<>();
        for (String name : names(before, wanted)) {
            if (!isLive(name) && !before.text(name).equals(wanted.text(name))) {
                later.put(name, wanted.text(name));
            }
        }
        return later;
    }

    /** The wanted values, with those of before where a change has to wait. */
    private Values now(Values before, Values wanted, Set<String> later, List<String> faults) {
        if (later.isEmpty()) {
            return wanted;
        }
        Map<String, Setting> settings = new HashMap<>(wanted.settings());
        for (String name : later) {
            Setting kept = before.settings().get(name);
            if (kept == null) {
                settings.remove(name);
            } else {
                settings.put(name, kept);
            }
        }
        return checked(schema, settings, faults);
    }

    private void tellWaiting(Map<String, String> later, Values wanted) {
        later.forEach(
                (name, text) -> {
                    if (!text.equals(waiting.get(name))) {
                        LOG.log(
                                Level.WARNING,
                                "configuration-waits name={0} value=\"{1}\" origin=\"{2}\""
                                        + " reason=\"takes effect at the next start\"",
                                name,
                                wanted.shown(name),
                                wanted.origin(name));
                    }
                });
        waiting = Collections.unmodifiableMap(later);
    }

    private static List<String> names(Values before, Values after) {
        Set<String> names = new LinkedHashSet<>();
        before.entries().forEach(entry -> names.add(entry.name()));
        after.entries().forEach(entry -> names.add(entry.name()));
        return List.copyOf(names);
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
                    after.shown(name),
                    before.shown(name),
                    after.origin(name));
        }
        return changed;
    }
}
