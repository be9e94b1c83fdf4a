package org.lrwp.webapp.config;

import java.util.Locale;
import java.util.Objects;

/**
 * One key of the configuration.
 *
 * @param <T> what its value becomes
 * @param name kebab case
 * @param type the kind of its value
 * @param fallback its default, as it would stand in the file
 * @param outcome what it limits or sets, and what happens at the limit: one sentence for the docs
 */
record Key<T>(String name, ValueType<T> type, String fallback, String outcome) {
    static final String SYSTEM_PREFIX = "lrwp.";
    static final String ENVIRONMENT_PREFIX = "LRWP_";

    Key {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(fallback, "fallback");
        Objects.requireNonNull(outcome, "outcome");
    }

    /** The name of the environment variable that sets it. */
    String environmentName() {
        return ENVIRONMENT_PREFIX
                + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Whether it can be set for one context: {@code context./osp.grace}. */
    boolean isPerContext() {
        return name.startsWith(Keys.CONTEXT_PREFIX);
    }

    /** Its name for one context. */
    String nameFor(String context) {
        return Keys.CONTEXT_PREFIX + context + "." + name.substring(Keys.CONTEXT_PREFIX.length());
    }
}
