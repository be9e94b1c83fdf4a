package org.lrwp.runtime.configuration;

import java.util.function.Consumer;

/** What must hold between values, beyond what is allowed for each of them. */
@FunctionalInterface
public interface Rule {
    /**
     * Looks at values together. Called at the start and before each change, under the lock of the
     * configuration.
     *
     * @param values all of them; in place of one that is not allowed its default
     * @param faults takes a sentence for each fault; no secret may be in it
     */
    void check(Values values, Consumer<String> faults);
}
