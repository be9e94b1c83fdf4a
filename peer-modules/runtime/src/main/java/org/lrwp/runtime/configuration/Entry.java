package org.lrwp.runtime.configuration;

import java.util.Objects;

/**
 * One value as operators see it.
 *
 * @param name the name of the setting
 * @param text the value, as it was written; {@code ***} for a secret
 * @param origin where it comes from
 * @param allowed what is allowed
 * @param meaning what it is for
 * @param live whether it may change while the program runs
 */
public record Entry(
        String name, String text, Origin origin, String allowed, String meaning, boolean live) {
    /** Checks that nothing is missing. */
    public Entry {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(allowed, "allowed");
        Objects.requireNonNull(meaning, "meaning");
    }
}
