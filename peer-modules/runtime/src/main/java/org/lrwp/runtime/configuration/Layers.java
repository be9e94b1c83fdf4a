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
 * @param edited names that have changed in the file and still stand there: it wins over the start
 * @param passing by consoles and the admin endpoint
 */
record Layers(
        Map<String, Setting> defaults,
        Map<String, Setting> file,
        Map<String, Setting> start,
        Set<String> edited,
        Map<String, Setting> passing) {
    Layers {
        defaults = Map.copyOf(defaults);
        file = Map.copyOf(file);
        start = Map.copyOf(start);
        edited = Set.copyOf(edited);
        passing = Map.copyOf(passing);
    }

    /** As they are at the start of a program. */
    static Layers opened(
            Map<String, Setting> defaults, Map<String, Setting> file, Map<String, Setting> start) {
        return new Layers(defaults, file, start, Set.of(), Map.of());
    }

    Map<String, Setting> merged() {
        Map<String, Setting> merged = new HashMap<>(defaults);
        merged.putAll(file);
        merged.putAll(without(start, edited));
        merged.putAll(passing);
        return merged;
    }

    /**
     * With another file: what has changed in it wins over all that was set before. What is gone
     * from it has the value of the start again, or its default.
     *
     * @param live says whether a setting may change now; one that may not counts at the next start,
     *     where the file comes before all others
     */
    Layers withFile(Map<String, Setting> next, Predicate<String> live) {
        Set<String> changed = new HashSet<>(file.keySet());
        changed.addAll(next.keySet());
        changed.removeIf(name -> Objects.equals(text(file, name), text(next, name)));
        changed.removeIf(live.negate());
        Set<String> nowEdited = new HashSet<>(edited);
        nowEdited.addAll(changed);
        nowEdited.retainAll(next.keySet());
        return new Layers(defaults, next, start, nowEdited, without(passing, changed));
    }

    /** With another start; what has changed in it wins over all that was set before. */
    Layers withStart(Map<String, Setting> set, Set<String> removed) {
        Map<String, Setting> next = new HashMap<>(start);
        next.putAll(set);
        next.keySet().removeAll(removed);
        Set<String> changed = new HashSet<>(set.keySet());
        changed.addAll(removed);
        Set<String> stillEdited = new HashSet<>(edited);
        stillEdited.removeAll(changed);
        return new Layers(defaults, file, next, stillEdited, without(passing, changed));
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
        return new Layers(defaults, file, start, edited, all);
    }

    Layers without(String name) {
        return new Layers(defaults, file, start, edited, without(passing, Set.of(name)));
    }
}
