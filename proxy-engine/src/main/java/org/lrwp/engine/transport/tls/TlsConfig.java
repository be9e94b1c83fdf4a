package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Where peers dial in inside TLS, and with which certificates.
 *
 * @param address local address and port; port 0 = any free one
 * @param certificate PEM file: the proxy's certificate first, then its issuers
 * @param key PEM file: its private key, PKCS#8 without password, not readable for others
 * @param clientCertificates whether peers must show a certificate
 * @param trust PEM file: the authorities whose certificates peers may show; null only when none is
 *     asked for
 * @param revoked PEM file: lists of revoked certificates, one of each authority; null = nobody is
 *     revoked
 * @param reloadTime how often is looked whether a file has changed; 0 = never
 * @param handshakes how many handshakes may compute at once, at least 1
 */
public record TlsConfig(
        InetSocketAddress address,
        Path certificate,
        Path key,
        ClientCertificates clientCertificates,
        @Nullable Path trust,
        @Nullable Path revoked,
        Duration reloadTime,
        int handshakes) {
    /** Checks that all is there. */
    public TlsConfig {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        if (trust == null && (clientCertificates != ClientCertificates.NONE || revoked != null)) {
            throw new IllegalArgumentException("certificates of peers are checked without trust");
        }
        if (reloadTime.isNegative() || handshakes < 1) {
            throw new IllegalArgumentException(
                    "reloadTime " + reloadTime + ", handshakes " + handshakes);
        }
    }
}
