package org.lrwp.runtime.module;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A named figure of a module, for status, consoles and metrics.
 *
 * @param name in camel case, for example {@code openFlows}
 * @param value what it is now
 * @param unit for example {@code bytes}, {@code 1/s} or {@code requests}; empty for none
 * @param meaning what is counted, for people
 */
public record Figure(String name, Number value, String unit, String meaning) {
    private static final Pattern NAME = Pattern.compile("[a-z][A-Za-z0-9]*");

    /** Checks the name and that nothing is missing. */
    public Figure {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(meaning, "meaning");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not the name of a figure: " + name);
        }
    }
}
