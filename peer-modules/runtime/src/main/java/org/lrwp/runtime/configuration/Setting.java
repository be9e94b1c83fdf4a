package org.lrwp.runtime.configuration;

import java.util.Objects;

/**
 * A value that somebody has set.
 *
 * @param text its text
 * @param origin where it stands
 */
public record Setting(String text, Origin origin) {
    /** Checks that nothing is missing. */
    public Setting {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(origin, "origin");
    }
}
