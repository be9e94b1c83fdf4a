package org.lrwp.runtime.module;

import org.lrwp.runtime.configuration.Configuration;

import java.util.List;
import java.util.Objects;

/**
 * What a module is opened with.
 *
 * @param name its name among all modules, for logs
 * @param contexts the contexts it serves, as users write them, at least one
 * @param configuration its values, now and later
 */
public record ModuleSetup(String name, List<String> contexts, Configuration configuration) {
    /** Checks and copies. */
    public ModuleSetup {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(configuration, "configuration");
        contexts = List.copyOf(contexts);
    }
}
