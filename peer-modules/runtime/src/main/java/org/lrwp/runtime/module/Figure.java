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
 * @param kind whether it only grows
 */
public record Figure(String name, Number value, String unit, String meaning, Kind kind) {
    /** What a figure can be. */
    public enum Kind {
        /** It counts since the start, and only grows. */
        COUNTER,
        /** It is what it is now. */
        GAUGE
    }

    private static final Pattern NAME = Pattern.compile("[a-z][A-Za-z0-9]*");

    /** Checks the name and that nothing is missing. */
    public Figure {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(kind, "kind");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not the name of a figure: " + name);
        }
    }

    /**
     * Makes a figure that only grows.
     *
     * @param name in camel case
     * @param value the count since the start
     * @param unit what is counted, in one word
     * @param meaning for people
     * @return the figure
     */
    public static Figure counter(String name, long value, String unit, String meaning) {
        return new Figure(name, value, unit, meaning, Kind.COUNTER);
    }

    /**
     * Makes a figure that is what it is now.
     *
     * @param name in camel case
     * @param value what it is now
     * @param unit empty for none
     * @param meaning for people
     * @return the figure
     */
    public static Figure gauge(String name, Number value, String unit, String meaning) {
        return new Figure(name, value, unit, meaning, Kind.GAUGE);
    }
}
