package org.lrwp.runtime.module;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.Configuration;

import java.util.List;
import java.util.Objects;

/**
 * What a module is opened with.
 *
 * @param name its name among all modules, for logs
 * @param contexts the contexts it serves, as users write them, at least one
 * @param configuration its values, now and later
 * @param neighbours those of its name at other proxies; null for a program of its own, and where
 *     the proxy is none of a cluster
 */
public record ModuleSetup(
        String name,
        List<String> contexts,
        Configuration configuration,
        @Nullable Neighbours neighbours) {
    /** Checks and copies. */
    public ModuleSetup {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(configuration, "configuration");
        contexts = List.copyOf(contexts);
    }

    /**
     * A module without neighbours.
     *
     * @param name its name among all modules, for logs
     * @param contexts the contexts it serves
     * @param configuration its values
     */
    public ModuleSetup(String name, List<String> contexts, Configuration configuration) {
        this(name, contexts, configuration, null);
    }
}
