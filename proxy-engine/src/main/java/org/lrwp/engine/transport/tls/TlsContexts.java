package org.lrwp.engine.transport.tls;

import org.lrwp.files.ChangeDetector;
import org.lrwp.files.FileStamp;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.OwnCertificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * The certificates and the trust that new connections get, as the files last said. Connections keep
 * what they began with.
 *
 * <p>{@link #engine} may be called by any thread and does not block; {@link #look} blocks on the
 * files and is called by one thread at a time.
 */
final class TlsContexts {
    private static final System.Logger LOG = System.getLogger(TlsContexts.class.getName());
    private static final String[] VERSIONS = {"TLSv1.3"};

    private final TlsConfig config;
    private final ChangeDetector<List<FileStamp>> files;
    private final InstantSource clock;
    private volatile TrustedContext current;

    /**
     * Reads the files.
     *
     * @param clock says which certificates are in force
     * @throws IOException when one of them cannot be used
     */
    TlsContexts(TlsConfig config, InstantSource clock) throws IOException {
        this.config = config;
        this.clock = clock;
        // Before the files are read: what changes meanwhile is seen at the next look.
        files = new ChangeDetector<>(() -> stamps(config));
        current = load();
    }

    /** Returns the server's side of a new connection. */
    SSLEngine engine() {
        SSLEngine engine = current.context().createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(VERSIONS);
        parameters.setApplicationProtocols(new String[] {ProtocolVersion.ALPN});
        switch (config.clientCertificates()) {
            case REQUIRED -> parameters.setNeedClientAuth(true);
            case OPTIONAL -> parameters.setWantClientAuth(true);
            case NONE -> parameters.setWantClientAuth(false);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /**
     * Looks whether a chain that a peer has proved still counts, by what is trusted now.
     *
     * @param chain empty when it has shown none
     * @throws SSLException when it does not
     */
    void check(List<X509Certificate> chain) throws SSLException {
        current.times().check(chain, clock.instant());
    }

    /** How all files look that the configuration names. */
    private static List<FileStamp> stamps(TlsConfig config) {
        return Stream.of(config.certificate(), config.key(), config.trust(), config.revoked())
                .filter(Objects::nonNull)
                .map(FileStamp::of)
                .toList();
    }

    /** Takes the files if they have changed; keeps what there is when they cannot be used. */
    void look() {
        if (!files.hasChangedAtOnce()) {
            return;
        }
        try {
            current = load();
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            if (files.failed(reason)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "tls-reload-failed kept=\"what was read before\" reason=\"{0}\"",
                        reason);
            }
        }
    }

    private TrustedContext load() throws IOException {
        OwnCertificate own = OwnCertificate.read(config.certificate(), config.key());
        try {
            var loaded = TrustedContext.read(own.keyManagers(), config.trust(), config.revoked());
            X509Certificate certificate = own.chain().getFirst();
            LOG.log(
                    System.Logger.Level.INFO,
                    "tls-loaded subject=\"{0}\" until={1}",
                    certificate.getSubjectX500Principal(),
                    certificate.getNotAfter().toInstant());
            return loaded;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }
}
