package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.tls.ClientCertificates;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Where clients speak HTTPS, and what they are shown.
 *
 * @param address local address
 * @param port TCP port, 1 to 65535
 * @param certificate PEM file of the certificate chain, the server's own first
 * @param key PEM file of its private key
 * @param clientCertificates whether clients must show a certificate
 * @param trust PEM file: the authorities whose certificates clients may show; null only when none
 *     is asked for
 * @param revoked PEM file: lists of revoked certificates, one of each authority; null = nobody is
 *     revoked
 * @param challenges folder of the certificates that a certificate authority asks for (RFC 8737);
 *     null for none
 * @param handshakes how many handshakes may compute at once, at least 1
 * @param waitingHandshakes how many may wait, at least 1
 */
public record HttpsConfig(
        InetAddress address,
        int port,
        Path certificate,
        Path key,
        ClientCertificates clientCertificates,
        @Nullable Path trust,
        @Nullable Path revoked,
        @Nullable Path challenges,
        int handshakes,
        int waitingHandshakes) {
    /** Checks the numbers, and that nothing is missing. */
    public HttpsConfig {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        if (trust == null && (clientCertificates != ClientCertificates.NONE || revoked != null)) {
            throw new IllegalArgumentException("certificates of clients are checked without trust");
        }
        if (port < 1 || port > 0xFFFF) {
            throw new IllegalArgumentException("port " + port + " is not within 1 to 65535");
        }
        if (handshakes < 1 || waitingHandshakes < 1) {
            throw new IllegalArgumentException(
                    "handshakes " + handshakes + ", waitingHandshakes " + waitingHandshakes);
        }
    }
}
