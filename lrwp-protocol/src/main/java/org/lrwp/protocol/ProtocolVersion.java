package org.lrwp.protocol;

/**
 * The versions of the handshake. The frames after it are the same in 1.0 and 2.0; those of 3.0 are
 * in {@link org.lrwp.protocol.frame}.
 */
public enum ProtocolVersion {
    /** LRWP 1.0: names only; the acknowledgement is {@code OK}. */
    LRWP_1("1.0"),
    /** LRWP 2.x: with version, framed replies and the XOR challenge. */
    LRWP_2("2.0"),
    /** LRWP 3.x: every reply framed, a keyed hash as proof, many requests on one connection. */
    LRWP_3("3.0");

    /** What LRWP 3 calls itself inside TLS (ALPN); older versions have no name there. */
    public static final String ALPN = "lrwp/3";

    private final String text;

    ProtocolVersion(String text) {
        this.text = text;
    }

    /**
     * Returns the version as it is written on the wire.
     *
     * @return {@code 1.0}, {@code 2.0} or {@code 3.0}
     */
    public String text() {
        return text;
    }
}
