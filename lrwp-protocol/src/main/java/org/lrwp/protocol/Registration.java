package org.lrwp.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a peer asks to serve: docs/protocol.md section 2.
 *
 * @param version the handshake the peer speaks
 * @param application the context without one leading {@code /}; empty is the root context, a
 *     leading {@code .} means a URL extension; at most 200 octets
 * @param virtualHost the only host to serve; empty means every host; at most 200 octets
 */
public record Registration(ProtocolVersion version, String application, String virtualHost) {
    /** Longest application name and longest virtual host, in octets. */
    public static final int MAX_COMPONENT = 200;

    private static final char DELIMITER = 0xFF;

    /** Checks both names. */
    public Registration {
        Objects.requireNonNull(version, "version");
        checkComponent("application", application);
        checkComponent("virtualHost", virtualHost);
    }

    private static void checkComponent(String name, String value) {
        if (value.length() > MAX_COMPONENT) {
            throw new IllegalArgumentException(
                    name + " has " + value.length() + " octets, the limit is " + MAX_COMPONENT);
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= DELIMITER) {
                throw new IllegalArgumentException(
                        name + " holds an octet that cannot be sent: 0x" + Integer.toHexString(c));
            }
        }
    }

    /**
     * Returns the context as users write it. Slashes that mean nothing are left out, so that one
     * context has one name: whoever judges a name and whoever routes by it must see the same.
     *
     * @return {@code /osp}, {@code .ext} or {@code /}; never {@code /osp/} or {@code //osp}
     */
    public String context() {
        var name = new StringBuilder();
        for (String segment : application.split("/", -1)) {
            if (!segment.isEmpty()) {
                name.append('/').append(segment);
            }
        }
        if (application.startsWith(".")) {
            name.deleteCharAt(0);
        }
        return name.isEmpty() ? "/" : name.toString();
    }

    /**
     * Returns the startup string of this registration.
     *
     * @return the octets a peer sends first
     */
    public byte[] encode() {
        // The reader drops one leading slash.
        boolean slash = application.isEmpty() || application.startsWith("/");
        String name = slash ? "/" + application : application;
        String text =
                switch (version) {
                    case LRWP_1 -> name + DELIMITER + virtualHost + DELIMITER;
                    case LRWP_2 ->
                            DELIMITER
                                    + version.text()
                                    + DELIMITER
                                    + name
                                    + DELIMITER
                                    + virtualHost
                                    + DELIMITER;
                };
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
