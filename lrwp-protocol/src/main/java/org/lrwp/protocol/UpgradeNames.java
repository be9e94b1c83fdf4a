package org.lrwp.protocol;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Names of protocols that a connection can go over to: what a client offers in its {@code Upgrade}
 * field (RFC 9110 section 7.8), or what a peer takes (docs/protocol.md section 15.12).
 *
 * @param names each a name or a name, {@code /} and a version, as they were written, in the order
 *     of preference; empty for none
 */
public record UpgradeNames(List<String> names) {
    /** No protocol. */
    public static final UpgradeNames NONE = new UpgradeNames(List.of());

    /** Most names that are looked at; what a client offers beyond is dropped. */
    public static final int MAX_NAMES = 16;

    /** Most bytes of a name with its version. */
    public static final int MAX_LENGTH = 64;

    /** HTTP/2 over the same connection, which is never a peer's: RFC 9113 section 3.1. */
    private static final String HTTP_2 = "h2c";

    /** Checks and copies the names. */
    public UpgradeNames {
        names = List.copyOf(names);
        if (names.size() > MAX_NAMES) {
            throw new IllegalArgumentException("more than " + MAX_NAMES + " protocols");
        }
        for (String name : names) {
            if (!isProtocol(name)) {
                throw new IllegalArgumentException("not the name of a protocol: " + name);
            }
        }
    }

    /**
     * Reads a list.
     *
     * @param text names, separated by commas; blanks around them do not count
     * @return the names; {@link #NONE} for an empty text
     * @throws IllegalArgumentException when something in it is no name, or there are too many
     */
    public static UpgradeNames of(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        List<String> names = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            names.add(name.strip());
        }
        return new UpgradeNames(names);
    }

    /**
     * Reads what a client offers. {@code h2c} is left out, and so is what is no name: a field that
     * cannot be read is ignored, as RFC 9110 section 7.8 allows.
     *
     * @param fields the values of all {@code Upgrade} fields of a request
     * @return the offer; {@link #NONE} when nothing is left of it
     */
    public static UpgradeNames offered(List<String> fields) {
        List<String> names = new ArrayList<>();
        for (String field : fields) {
            for (String part : field.split(",", -1)) {
                String name = part.strip();
                boolean http = name(name).equals(HTTP_2);
                if (names.size() < MAX_NAMES && !http && isProtocol(name)) {
                    names.add(name);
                }
            }
        }
        return names.isEmpty() ? NONE : new UpgradeNames(names);
    }

    private static boolean isProtocol(String text) {
        int slash = text.indexOf('/');
        return text.length() <= MAX_LENGTH
                && (slash < 0
                        ? HeaderField.isToken(text)
                        : HeaderField.isToken(text.substring(0, slash))
                                && HeaderField.isToken(text.substring(slash + 1)));
    }

    /** The name without its version, for comparison. */
    private static String name(String protocol) {
        int slash = protocol.indexOf('/');
        String name = slash < 0 ? protocol : protocol.substring(0, slash);
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * Says whether there are none.
     *
     * @return true for {@link #NONE}
     */
    public boolean isEmpty() {
        return names.isEmpty();
    }

    /**
     * Says whether one of an offer is among these. Names are compared without regard to case; a
     * version counts only where these have one.
     *
     * @param offer what a client offers
     * @return whether a peer that takes these takes one of them
     */
    public boolean takes(UpgradeNames offer) {
        return offer.names.stream().anyMatch(this::takes);
    }

    private boolean takes(String offered) {
        for (String name : names) {
            if (name.equalsIgnoreCase(offered)
                    || (name.indexOf('/') < 0 && name(name).equals(name(offered)))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Says whether a protocol is one of these, version included.
     *
     * @param protocol what a peer has chosen; null for nothing
     * @return whether it is here, in any case
     */
    public boolean contains(@Nullable String protocol) {
        return protocol != null && names.stream().anyMatch(protocol::equalsIgnoreCase);
    }

    /**
     * Returns all names as the value of a field or setting.
     *
     * @return separated by a comma and a blank; empty for none
     */
    public String text() {
        return String.join(", ", names);
    }
}
