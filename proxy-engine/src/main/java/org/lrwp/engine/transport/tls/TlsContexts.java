package org.lrwp.engine.transport.tls;

import org.lrwp.files.ChangeDetector;
import org.lrwp.files.FileStamp;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.OwnCertificate;
import org.lrwp.sdk.tls.PemFile;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificates and the trust that new connections get, as the files last said. Connections keep
 * what they began with. Each change makes a new context, and a session resumes only in the context
 * that began it: so nobody comes in by what was trusted once.
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
    private volatile Loaded current;

    /** What was read together. */
    private record Loaded(SSLContext context, ProofTimes times) {}

    /** What peers may prove: by whom, and how long. */
    private record Trust(List<TrustManager> managers, ProofTimes times) {}

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

    private Loaded load() throws IOException {
        OwnCertificate own = OwnCertificate.read(config.certificate(), config.key());
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            Trust trust = trust();
            context.init(own.keyManagers(), trust.managers().toArray(TrustManager[]::new), null);
            X509Certificate certificate = own.chain().getFirst();
            LOG.log(
                    System.Logger.Level.INFO,
                    "tls-loaded subject=\"{0}\" until={1}",
                    certificate.getSubjectX500Principal(),
                    certificate.getNotAfter().toInstant());
            return new Loaded(context, trust.times());
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private Trust trust() throws IOException, GeneralSecurityException {
        Path trust = config.trust();
        if (trust == null) {
            return new Trust(List.of(), ProofTimes.NONE);
        }
        Set<TrustAnchor> anchors = new HashSet<>();
        List<X509Certificate> authorities = PemFile.certificates(trust);
        for (X509Certificate authority : authorities) {
            anchors.add(new TrustAnchor(authority, null));
        }
        var parameters = new PKIXBuilderParameters(anchors, new X509CertSelector());
        parameters.setRevocationEnabled(false);
        Path file = config.revoked();
        List<X509CRL> lists = List.of();
        if (file != null) {
            lists = PemFile.revoked(file);
            addRevoked(parameters, lists);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(new CertPathTrustManagerParameters(parameters));
        return new Trust(List.of(factory.getTrustManagers()), ProofTimes.of(authorities, lists));
    }

    /** With a list, each issuer must have one that is in force: else nothing would be proved. */
    private static void addRevoked(PKIXBuilderParameters parameters, List<X509CRL> lists)
            throws GeneralSecurityException {
        var store = new CollectionCertStoreParameters(lists);
        parameters.addCertStore(CertStore.getInstance("Collection", store));
        var checker =
                (PKIXRevocationChecker)
                        CertPathValidator.getInstance("PKIX").getRevocationChecker();
        checker.setOptions(
                EnumSet.of(
                        PKIXRevocationChecker.Option.PREFER_CRLS,
                        PKIXRevocationChecker.Option.NO_FALLBACK));
        parameters.addCertPathChecker(checker);
    }
}
