package org.lrwp.protocol;

import java.nio.charset.StandardCharsets;

/** The bytes that accept a registration: docs/protocol.md section 3. */
public final class Acknowledgement {
    private Acknowledgement() {}

    /**
     * Returns the acknowledgement for one version.
     *
     * @param version the version the peer speaks
     * @return {@code OK}, with the delimiter for 2.x and 3.x
     */
    public static byte[] encode(ProtocolVersion version) {
        String text = version == ProtocolVersion.LRWP_1 ? "OK" : "OK\u00ff";
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
