package org.lrwp.webapp.config;

import org.lrwp.protocol.HeaderField;

import java.util.Objects;

/**
 * The cookie by which the clients of one context come back to the process that has answered them.
 *
 * @param cookie its name; empty for none
 * @param attributes as in {@code Set-Cookie}, separated by semicolons, without {@code Path}
 */
public record StickyRules(String cookie, String attributes) {
    /** Any process gets any request. */
    public static final StickyRules NONE = new StickyRules("", "");

    /** Checks all values. */
    public StickyRules {
        if (!cookie.isEmpty() && !HeaderField.isToken(cookie)) {
            throw new IllegalArgumentException("cookie " + cookie);
        }
        Objects.requireNonNull(attributes, "attributes");
    }

    /**
     * Says whether there is one.
     *
     * @return whether clients come back
     */
    public boolean isOn() {
        return !cookie.isEmpty();
    }
}
