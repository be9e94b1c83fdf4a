package org.lrwp.sdk.tls;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.ProtocolVersion;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Objects;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * How a peer dials inside TLS 1.3: whom it trusts and what it shows. The proxy's certificate is
 * always checked, and its name against the host that is dialled: docs/protocol.md section 18.
 *
 * <p>Immutable. The files are read at each dialling, so that renewed ones are used without a
 * restart.
 */
public final class PeerTls {
    private static final String[] VERSIONS = {"TLSv1.3"};

    private final Path trusted;
    private final @Nullable Path certificate;
    private final @Nullable Path key;

    private PeerTls(Path trusted, @Nullable Path certificate, @Nullable Path key) {
        this.trusted = trusted;
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * Trusts proxies whose certificate one of these authorities has issued.
     *
     * @param caFile PEM file with the certificates of the authorities
     * @return the rules, without a certificate of the peer's own
     */
    public static PeerTls trusting(Path caFile) {
        return new PeerTls(Objects.requireNonNull(caFile, "caFile"), null, null);
    }

    /**
     * Shows a certificate to proxies that ask for one.
     *
     * @param certificate PEM file: the certificate first, then its issuers
     * @param certificateKey PEM file: PKCS#8 without password, not readable for others
     * @return the rules with it
     */
    public PeerTls certificate(Path certificate, Path certificateKey) {
        return new PeerTls(
                trusted,
                Objects.requireNonNull(certificate, "certificate"),
                Objects.requireNonNull(certificateKey, "certificateKey"));
    }

    /**
     * Reads all files, to find faults before the first dialling. Blocks on the files.
     *
     * @throws IllegalArgumentException when one cannot be used; the message names it
     */
    public void check() {
        try {
            context();
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Does the TLS handshake on a connection. Blocks until it is over, or the socket's read timeout
     * has passed.
     *
     * @param connected a connection to the proxy; closing it ends the result too
     * @param host the name or address that was dialled, which the certificate must have
     * @param version what will be spoken: LRWP 3 names itself, older versions do not
     * @return the connection inside TLS, over the same socket
     * @throws IOException when the files cannot be read, the proxy's certificate is not right, or
     *     the proxy refuses the peer's
     */
    public SSLSocket open(Socket connected, String host, ProtocolVersion version)
            throws IOException {
        var socket =
                (SSLSocket)
                        context()
                                .getSocketFactory()
                                .createSocket(connected, host, connected.getPort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(VERSIONS);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (version == ProtocolVersion.LRWP_3) {
            parameters.setApplicationProtocols(new String[] {ProtocolVersion.ALPN});
        }
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private SSLContext context() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(), PemFile.trust(trusted).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private KeyManager[] keyManagers() throws IOException, GeneralSecurityException {
        return certificate == null || key == null
                ? new KeyManager[0]
                : OwnCertificate.read(certificate, key).keyManagers();
    }
}
