package org.lrwp.protocol;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a peer asks to serve: docs/protocol.md section 2, and for 3.x docs/protocol.md section 12.
 *
 * @param version the handshake the peer speaks
 * @param application up to 2.x the context without one leading {@code /}, where empty is the root
 *     context; in 3.x the name as it is sent, where empty registers nothing and {@code /} is the
 *     root context. A leading {@code .} means a URL extension; at most 200 bytes, in 3.x beside one
 *     leading {@code /}
 * @param virtualHost the only host to serve; empty means every host; at most 200 bytes
 * @param claim who the peer says it is, in 3.1 and above; null in all others
 */
public record Registration(
        ProtocolVersion version,
        String application,
        String virtualHost,
        @Nullable IdentityClaim claim) {
    /** Longest application name and longest virtual host, in bytes. */
    public static final int MAX_COMPONENT = 200;

    private static final char DELIMITER = 0xFF;

    /** Checks the names. */
    public Registration {
        Objects.requireNonNull(version, "version");
        checkComponent("application", nameWithoutSlash(version, application));
        checkComponent("virtualHost", virtualHost);
        if (claim != null && version != ProtocolVersion.LRWP_3) {
            throw new IllegalArgumentException("only LRWP 3 says who a peer is");
        }
    }

    /**
     * Creates a registration of a version up to 3.0.
     *
     * @param version the handshake the peer speaks
     * @param application see {@link #application()}
     * @param virtualHost the only host to serve; empty means every host
     */
    public Registration(ProtocolVersion version, String application, String virtualHost) {
        this(version, application, virtualHost, null);
    }

    /**
     * Returns the version as the startup string says it.
     *
     * @return {@code 1.0}, {@code 2.0}, {@code 3.0} or {@code 3.1}
     */
    public String versionText() {
        return claim == null ? version.text() : "3.1";
    }

    private static void checkComponent(String name, String value) {
        if (value.length() > MAX_COMPONENT) {
            throw new IllegalArgumentException(
                    name + " has " + value.length() + " bytes, the limit is " + MAX_COMPONENT);
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= DELIMITER) {
                throw new IllegalArgumentException(
                        name + " holds a byte that cannot be sent: 0x" + Integer.toHexString(c));
            }
        }
    }

    private static String nameWithoutSlash(ProtocolVersion version, String application) {
        boolean drop = version == ProtocolVersion.LRWP_3 && application.startsWith("/");
        return drop ? application.substring(1) : application;
    }

    /**
     * Says whether the peer registers nothing yet.
     *
     * @return true for a 3.x registration without application, whose contexts come in frames
     */
    public boolean registersNothing() {
        return version == ProtocolVersion.LRWP_3 && application.isEmpty();
    }

    /**
     * Returns the context as users write it. Slashes that mean nothing are left out, so that one
     * context has one name: whoever judges a name and whoever routes by it must see the same.
     *
     * @return {@code /osp}, {@code .ext} or {@code /}; never {@code /osp/} or {@code //osp}; empty
     *     when this {@linkplain #registersNothing() registers nothing}
     */
    public String context() {
        return registersNothing() ? "" : contextOf(nameWithoutSlash(version, application));
    }

    /**
     * Returns the context that a name stands for, as users write it.
     *
     * @param name the name, after one leading {@code /} was dropped
     * @return {@code /osp}, {@code .ext} or {@code /}; never {@code /osp/} or {@code //osp}
     */
    public static String contextOf(String name) {
        var context = new StringBuilder();
        for (String segment : name.split("/", -1)) {
            if (!segment.isEmpty()) {
                context.append('/').append(segment);
            }
        }
        if (name.startsWith(".")) {
            context.deleteCharAt(0);
        }
        return context.isEmpty() ? "/" : context.toString();
    }

    /**
     * Returns the startup string of this registration.
     *
     * @return the bytes a peer sends first
     */
    public byte[] encode() {
        // Readers of 1.0 and 2.x drop one leading slash.
        boolean slash = application.isEmpty() || application.startsWith("/");
        String name = slash ? "/" + application : application;
        String text =
                switch (version) {
                    case LRWP_1 -> name + DELIMITER + virtualHost + DELIMITER;
                    case LRWP_2 -> withVersion(name);
                    case LRWP_3 -> withVersion(application);
                };
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private String withVersion(String name) {
        String names =
                DELIMITER + versionText() + DELIMITER + name + DELIMITER + virtualHost + DELIMITER;
        return claim == null
                ? names
                : names
                        + claim.name()
                        + DELIMITER
                        + claim.keyId()
                        + DELIMITER
                        + claim.nonce()
                        + DELIMITER;
    }
}
