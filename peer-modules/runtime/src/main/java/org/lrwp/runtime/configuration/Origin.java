package org.lrwp.runtime.configuration;

import java.util.Objects;

/**
 * Where a value comes from.
 *
 * @param kind the kind of place
 * @param place the place itself, for example file and line; empty when there is nothing to say
 */
public record Origin(Kind kind, String place) {
    /** The kinds of places; one that stands later here wins at the start. */
    public enum Kind {
        /** The program's own value. */
        DEFAULT,
        /** The watched file. */
        FILE,
        /** The command line, or for a module in the proxy the proxy's configuration. */
        START,
        /** A console. */
        JMX,
        /** The admin endpoint. */
        HTTP
    }

    /** Nobody has set it. */
    public static final Origin DEFAULT = new Origin(Kind.DEFAULT, "");

    /** Checks that nothing is missing. */
    public Origin {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(place, "place");
    }

    /**
     * Says whether the value lasts only until the next start.
     *
     * @return true for {@link Kind#JMX} and {@link Kind#HTTP}
     */
    public boolean isPassing() {
        return kind == Kind.JMX || kind == Kind.HTTP;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case DEFAULT -> place.isEmpty() ? "default" : place;
            case FILE -> "file " + place;
            case START -> place;
            case JMX -> "JMX";
            case HTTP -> place.isEmpty() ? "HTTP" : "HTTP " + place;
        };
    }
}
