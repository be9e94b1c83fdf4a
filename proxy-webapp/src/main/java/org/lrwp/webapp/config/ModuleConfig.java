package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.Setting;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One module that runs inside the proxy.
 *
 * @param name its name: what stands behind {@code module.}
 * @param type the kind of module
 * @param contexts what it serves, as users write them, at least one
 * @param virtualHost the only host it serves them for, empty for every host
 * @param capacity requests it has at once
 * @param file a watched file with more of its own settings; null for none
 * @param adminPort its admin port on the loopback address; -1 for none
 * @param adminTokenFile the file with the token for changes; null for none
 * @param settings its own settings, by key without {@code module.} and name
 */
public record ModuleConfig(
        String name,
        String type,
        List<String> contexts,
        String virtualHost,
        int capacity,
        @Nullable Path file,
        int adminPort,
        @Nullable Path adminTokenFile,
        Map<String, Setting> settings) {
    /** Checks and copies. */
    public ModuleConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(virtualHost, "virtualHost");
        contexts = List.copyOf(contexts);
        settings = Map.copyOf(settings);
    }

    /**
     * Says whether another differs at most in its own settings.
     *
     * @param other what the configuration says now
     * @return whether type, contexts and all else that modules have in common are the same
     */
    public boolean isPlacedAs(ModuleConfig other) {
        return with(Map.of()).equals(other.with(Map.of()));
    }

    private ModuleConfig with(Map<String, Setting> own) {
        return new ModuleConfig(
                name, type, contexts, virtualHost, capacity, file, adminPort, adminTokenFile, own);
    }

    /**
     * Returns what another sets that this does not, or to another text; the place of a setting does
     * not count.
     *
     * @param other what the configuration says now
     * @return settings by name
     */
    public Map<String, Setting> changedIn(ModuleConfig other) {
        Map<String, Setting> changed = new HashMap<>();
        other.settings.forEach(
                (key, setting) -> {
                    Setting before = settings.get(key);
                    if (before == null || !before.text().equals(setting.text())) {
                        changed.put(key, setting);
                    }
                });
        return changed;
    }

    /**
     * Returns what this sets and another does not.
     *
     * @param other what the configuration says now
     * @return names of settings
     */
    public Set<String> missingIn(ModuleConfig other) {
        Set<String> missing = new HashSet<>(settings.keySet());
        missing.removeAll(other.settings.keySet());
        return missing;
    }
}
