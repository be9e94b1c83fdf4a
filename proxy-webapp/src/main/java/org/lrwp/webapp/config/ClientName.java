package org.lrwp.webapp.config;

import org.lrwp.protocol.HeaderField;

import java.util.Objects;

/**
 * What tells the clients of a context apart.
 *
 * @param kind where the name stands
 * @param field name of the field or cookie; empty for the address
 */
public record ClientName(Kind kind, String field) {
    /** The address, as trusted proxies tell it. */
    public static final ClientName ADDRESS = new ClientName(Kind.ADDRESS, "");

    /** Where the name of a client stands. */
    public enum Kind {
        /** Its address; an IPv6 network of 64 bits is one client. */
        ADDRESS,
        /** A header field. */
        FIELD,
        /** A cookie. */
        COOKIE
    }

    /** Checks that a field or cookie has a name. */
    public ClientName {
        Objects.requireNonNull(kind, "kind");
        if (kind == Kind.ADDRESS ? !field.isEmpty() : !HeaderField.isToken(field)) {
            throw new IllegalArgumentException(kind + " with the name \"" + field + "\"");
        }
    }

    /**
     * Reads it as users write it.
     *
     * @param text {@code address}, {@code field NAME} or {@code cookie NAME}
     * @return what it says
     * @throws IllegalArgumentException when it is none of these
     */
    static ClientName parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        return switch (words[0]) {
            case "address" -> new ClientName(Kind.ADDRESS, rest(words, 1));
            case "field" -> new ClientName(Kind.FIELD, rest(words, 2));
            case "cookie" -> new ClientName(Kind.COOKIE, rest(words, 2));
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static String rest(String[] words, int count) {
        if (words.length != count) {
            throw new IllegalArgumentException(String.join(" ", words));
        }
        return count == 1 ? "" : words[1];
    }
}
