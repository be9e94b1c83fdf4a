package org.lrwp.webapp.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The checked values of all keys: of all contexts, and of single ones. */
final class Settings {
    private final Map<String, Setting> settings;
    private final List<String> faults;
    private final Set<String> contexts = new TreeSet<>();
    private final Map<String, Object> values = new LinkedHashMap<>();

    /**
     * Checks all settings.
     *
     * @param settings what is set
     * @param faults gets a sentence for each that is unknown or bad
     */
    Settings(Map<String, Setting> settings, List<String> faults) {
        this.settings = settings;
        this.faults = faults;
        settings.forEach(this::check);
    }

    private void check(String name, Setting setting) {
        for (Key<?> key : Keys.ALL) {
            String context = key.isPerContext() ? contextOf(name, key) : "";
            if (!name.equals(key.name()) && context.isEmpty()) {
                continue;
            }
            if (!context.isEmpty()) {
                if (!ValueTypes.isContext(context)) {
                    faults.add(name + " (" + setting.origin() + "): not a context: " + context);
                    return;
                }
                contexts.add(context);
            }
            parse(name, key, setting);
            return;
        }
        faults.add("unknown key " + name + " (" + setting.origin() + ")");
    }

    /** The context in {@code context./osp.grace}; empty when the name is not of that form. */
    private static String contextOf(String name, Key<?> key) {
        String tail = key.name().substring(Keys.CONTEXT_PREFIX.length() - 1);
        boolean matches =
                name.startsWith(Keys.CONTEXT_PREFIX)
                        && name.endsWith(tail)
                        && name.length() > Keys.CONTEXT_PREFIX.length() + tail.length();
        return matches
                ? name.substring(Keys.CONTEXT_PREFIX.length(), name.length() - tail.length())
                : "";
    }

    private void parse(String name, Key<?> key, Setting setting) {
        try {
            values.put(name, key.type().parse(setting.value()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            faults.add(
                    name
                            + " = "
                            + setting.value()
                            + " ("
                            + setting.origin()
                            + "): allowed is "
                            + key.type().allowed());
        }
    }

    /** Whether somebody has set a key. */
    boolean isSet(Key<?> key) {
        return settings.containsKey(key.name());
    }

    /** The value of a key, or its default. */
    <T> T get(Key<T> key) {
        return get(key.name(), key.type().parse(key.fallback()));
    }

    /** The value of a key for one context, or for all, or its default. */
    <T> T get(Key<T> key, String context) {
        return get(key.nameFor(context), get(key));
    }

    @SuppressWarnings("unchecked")
    private <T> T get(String name, T fallback) {
        // Only check() puts values, and only what the type of the key of that name has read.
        T value = (T) values.get(name);
        return value == null ? fallback : value;
    }

    /** The contexts that have a key of their own. */
    Set<String> contexts() {
        return contexts;
    }
}
