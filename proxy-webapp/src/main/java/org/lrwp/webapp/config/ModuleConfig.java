package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.Setting;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
}
