package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.Nullable;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The server's side of TLS by what files said when they were read: whose certificates count, and
 * how long. After a change of the files another one is made. A session resumes only in the context
 * that began it, so nobody comes in by what was trusted once.
 *
 * @param context makes the connections
 * @param times how long what a client has proved counts; to be looked at after every handshake
 */
public record TrustedContext(SSLContext context, ProofTimes times) {
    /**
     * Reads the files; blocks on them.
     *
     * @param own has the server's certificates
     * @param trust PEM file: the authorities whose certificates count; null = nobody's do
     * @param revoked PEM file: their lists of revoked certificates; null = nobody is revoked
     * @return by what the files say now
     * @throws IOException when one of them cannot be used
     * @throws GeneralSecurityException when the JDK cannot use what they hold
     */
    public static TrustedContext read(
            KeyManager[] own, @Nullable Path trust, @Nullable Path revoked)
            throws IOException, GeneralSecurityException {
        List<X509Certificate> authorities = trust == null ? List.of() : PemFile.certificates(trust);
        List<X509CRL> lists = revoked == null ? List.of() : PemFile.revoked(revoked);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, managers(authorities, lists), null);
        return new TrustedContext(context, ProofTimes.of(authorities, lists));
    }

    private static TrustManager[] managers(List<X509Certificate> authorities, List<X509CRL> lists)
            throws GeneralSecurityException {
        if (authorities.isEmpty()) {
            return new TrustManager[0];
        }
        Set<TrustAnchor> anchors =
                authorities.stream()
                        .map(authority -> new TrustAnchor(authority, null))
                        .collect(Collectors.toSet());
        var parameters = new PKIXBuilderParameters(anchors, new X509CertSelector());
        parameters.setRevocationEnabled(false);
        if (!lists.isEmpty()) {
            addRevoked(parameters, lists);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(new CertPathTrustManagerParameters(parameters));
        return factory.getTrustManagers();
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
