package org.lrwp.protocol;

import java.nio.charset.StandardCharsets;

/**
 * The reasons for which a registration is refused, with the texts that peers of the 1990s know:
 * docs/protocol.md section 3.
 */
public enum Refusal {
    /**
     * The startup string does not have its delimiters, or its version is not {@code digit.digit}.
     */
    MALFORMED_STARTUP("ERROR: Malformed startup string", false),
    /** A 2.x startup string without application or without its last delimiter. */
    MALFORMED_LRWP2("Malformed LRWP2 connection string", false),
    /** A request of HTTP, for which this is the wrong port: whoever sent it gets 400. */
    HTTP_REQUEST("This port is for LRWP peers, not for HTTP", false),
    /** The first bytes of a client of TLS, for which this is the wrong port. */
    TLS_HANDSHAKE("ERROR: This port is for LRWP peers without TLS", false),
    /** A version that is not spoken here. */
    UNKNOWN_VERSION("ERROR: Unknown LRWP version", false),
    /** Application or virtual host above {@link Registration#MAX_COMPONENT} bytes. */
    COMPONENT_TOO_LONG("ERROR: Registration component too long", false),
    /** Inside TLS, LRWP 3 without its ALPN name, or an older version with it. */
    WRONG_ALPN("ERROR: Inside TLS LRWP 3 needs ALPN lrwp/3, and older versions none", true),
    /** A limit on peers is reached. */
    OUT_OF_RESOURCES("ERROR: Out of resources", true),
    /** The peer's address is in none of the allowed networks. */
    UNAUTHORIZED_ACCESS("ERROR: Unauthorized access", true),
    /** The context may not be registered. */
    NOT_PERMITTED("ERROR: Application not permitted", true),
    /** The configuration asks for a newer version. */
    VERSION_NOT_PERMITTED("ERROR: LRWP version not permitted", true),
    /** Peers without identity are refused, and the peer of 2.x or 3.x has shown none. */
    IDENTITY_REQUIRED("ERROR: Connection requires an identity", true),
    /** The context has a secret and the peer speaks 1.0, which cannot prove one. */
    AUTHENTICATION_REQUIRED("ERROR: Connection requires LRWP2 authentication", true),
    /** The answer to the challenge is wrong. */
    INCORRECT_RESPONSE("Incorrect LRWP challenge response", true);

    private final String text;
    private final boolean framed;

    Refusal(String text, boolean framed) {
        this.text = text;
        this.framed = framed;
    }

    /**
     * Returns the text that the peer gets.
     *
     * @return the exact text, without framing
     */
    public String text() {
        return text;
    }

    /**
     * Returns the bytes to send before the connection is closed.
     *
     * @param version the version the peer speaks; a 2.x peer gets its reasons framed, as far as the
     *     original servers framed them, a 3.x peer gets each of them framed
     * @return the whole refusal
     */
    public byte[] encode(ProtocolVersion version) {
        if (this == HTTP_REQUEST) {
            return httpAnswer().getBytes(StandardCharsets.ISO_8859_1);
        }
        boolean asFrame =
                switch (version) {
                    case LRWP_1 -> false;
                    case LRWP_2 -> framed;
                    case LRWP_3 -> true;
                };
        String bytes = asFrame ? "REJECTED\u00ff" + text + "\u00ff" : text;
        return bytes.getBytes(StandardCharsets.ISO_8859_1);
    }

    private String httpAnswer() {
        String body = text + ".\n";
        return "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: "
                + body.length()
                + "\r\nConnection: close\r\n\r\n"
                + body;
    }
}
