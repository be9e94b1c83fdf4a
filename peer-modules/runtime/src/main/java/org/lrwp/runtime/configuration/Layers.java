package org.lrwp.runtime.configuration;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is set in each place; a later place wins. Immutable.
 *
 * @param defaults in place of the defaults of the keys
 * @param file by the watched file
 * @param start by who started the program
 * @param passing by consoles and the admin endpoint
 */
record Layers(
        Map<String, Setting> defaults,
        Map<String, Setting> file,
        Map<String, Setting> start,
        Map<String, Setting> passing) {
    Layers {
        defaults = Map.copyOf(defaults);
        file = Map.copyOf(file);
        start = Map.copyOf(start);
        passing = Map.copyOf(passing);
    }

    Map<String, Setting> merged() {
        Map<String, Setting> merged = new HashMap<>(defaults);
        merged.putAll(file);
        merged.putAll(start);
        merged.putAll(passing);
        return merged;
    }

    /**
     * With another file: what has changed in it wins over all that was set before.
     *
     * @param live says whether a setting may change now; one that may not counts at the next start,
     *     where the file comes before all others
     */
    Layers withFile(Map<String, Setting> next, Predicate<String> live) {
        Set<String> changed = new HashSet<>(file.keySet());
        changed.addAll(next.keySet());
        changed.removeIf(name -> Objects.equals(text(file, name), text(next, name)));
        changed.removeIf(live.negate());
        return new Layers(defaults, next, without(start, changed), without(passing, changed));
    }

    /** With another start; what has changed in it wins over all that was set before. */
    Layers withStart(Map<String, Setting> set, Set<String> removed) {
        Map<String, Setting> next = new HashMap<>(start);
        next.putAll(set);
        next.keySet().removeAll(removed);
        Set<String> changed = new HashSet<>(set.keySet());
        changed.addAll(removed);
        return new Layers(defaults, file, next, without(passing, changed));
    }

    private static String text(Map<String, Setting> settings, String name) {
        Setting setting = settings.get(name);
        // No text has a line end.
        return setting == null ? "\n" : setting.text();
    }

    private static Map<String, Setting> without(Map<String, Setting> all, Set<String> names) {
        Map<String, Setting> fewer = new HashMap<>(all);
        fewer.keySet().removeAll(names);
        return fewer;
    }

    Layers with(Map<String, Setting> more) {
        Map<String, Setting> all = new HashMap<>(passing);
        all.putAll(more);
        return new Layers(defaults, file, start, all);
    }

    Layers without(String name) {
        return new Layers(defaults, file, start, without(passing, Set.of(name)));
    }
}
