package org.lrwp.runtime.configuration;

import java.util.Objects;

/**
 * Where a value comes from.
 *
 * @param kind the kind of place
 * @param place the place itself, for example file and line; empty when there is nothing to say
 * @param proof who has set it, as far as that is proved
 */
public record Origin(Kind kind, String place, Proof proof) {
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

    /**
     * Who somebody has proved to be.
     *
     * @param identity the name; empty when nothing is proved
     * @param certificate fingerprint of the certificate that proved it; empty for none
     */
    public record Proof(String identity, String certificate) {
        /** Nothing is proved, as in a file or a console. */
        public static final Proof NONE = new Proof("", "");

        /** Checks that nothing is missing. */
        public Proof {
            Objects.requireNonNull(identity, "identity");
            Objects.requireNonNull(certificate, "certificate");
        }
    }

    /** Nobody has set it. */
    public static final Origin DEFAULT = new Origin(Kind.DEFAULT, "");

    /** Checks that nothing is missing. */
    public Origin {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(place, "place");
        Objects.requireNonNull(proof, "proof");
    }

    /**
     * A place where nobody proves who he is.
     *
     * @param kind the kind of place
     * @param place the place itself; empty when there is nothing to say
     */
    public Origin(Kind kind, String place) {
        this(kind, place, Proof.NONE);
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
