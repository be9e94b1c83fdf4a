package org.lrwp.server.ctl;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.tls.OwnCertificate;
import org.lrwp.sdk.tls.PemFile;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Locale;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** The options of whom an operator trusts and what he shows by HTTPS. A picocli mixin. */
final class TlsFiles {
    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description =
                    "PEM file of the authorities that the proxy's HTTPS certificate is of"
                            + " (default: those of Java).")
    private @Nullable Path authorities;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description =
                    "PEM file with the operator's certificate, as operator.NAME.certificate of the"
                            + " proxy; needs an https URL.")
    private @Nullable Path certificate;

    @Option(
            names = "--certificate-key",
            paramLabel = "FILE",
            description = "PEM file with its private key: PKCS#8, only its owner may read it.")
    private @Nullable Path certificateKey;

    /** Whether an operator's certificate is shown. */
    boolean haveCertificate() {
        return certificate != null;
    }

    /** What these options make of TLS; null when none is given. Blocks on the files. */
    @Nullable SSLContext context(String url) throws UsageException {
        if ((certificate == null) != (certificateKey == null)) {
            throw new UsageException(
                    certificate == null
                            ? "--certificate-key needs --certificate"
                            : "--certificate needs --certificate-key");
        }
        if (certificate == null && authorities == null) {
            return null;
        }
        if (!url.toLowerCase(Locale.ROOT).startsWith("https:")) {
            throw new UsageException(
                    (certificate == null ? "--ca-file" : "--certificate")
                            + " needs --url with https://");
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(), trust(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new UsageException("TLS cannot be set up: " + e.getMessage());
        }
    }

    private KeyManager @Nullable [] keys() throws IOException, GeneralSecurityException {
        return certificate == null || certificateKey == null
                ? null
                : OwnCertificate.read(certificate, certificateKey).keyManagers();
    }

    private TrustManager @Nullable [] trust() throws IOException, GeneralSecurityException {
        return authorities == null ? null : PemFile.trust(authorities).getTrustManagers();
    }
}
