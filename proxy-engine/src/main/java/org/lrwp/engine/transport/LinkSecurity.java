package org.lrwp.engine.transport;

import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * What TLS knows of a connection: docs/protocol.md section 18.
 *
 * @param peerCertificates the peer's checked certificate first, then its issuers as it sent them;
 *     empty when it has shown none
 * @param serverCertificateHash SHA-256 of the certificate that this side has shown on this
 *     connection (DER), in lower-case hex: 64 digits
 * @param applicationProtocol what the peer called its protocol (ALPN); empty for nothing
 */
public record LinkSecurity(
        List<X509Certificate> peerCertificates,
        String serverCertificateHash,
        String applicationProtocol) {
    private static final int HASH_BYTES = 32;

    /** Checks the hash and copies the list. */
    public LinkSecurity {
        peerCertificates = List.copyOf(peerCertificates);
        Objects.requireNonNull(applicationProtocol, "applicationProtocol");
        if (HexFormat.of().parseHex(serverCertificateHash).length != HASH_BYTES) {
            throw new IllegalArgumentException("hash " + serverCertificateHash);
        }
    }
}
