package org.lrwp.webapp.config;

import java.util.Locale;

/** Which way the requests of registered contexts take. */
public enum Front {
    /** By the servlet, as in any other application. */
    SERVLET,
    /** At the edge, before the servlet container sees them. */
    EDGE,
    /** At the edge where it can be and nobody else wants to see them, else by the servlet. */
    AUTO;

    /** The front of a word of the configuration. */
    static Front of(String word) {
        return word.equals("direct") ? EDGE : valueOf(word.toUpperCase(Locale.ROOT));
    }
}
