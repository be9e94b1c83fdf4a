package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.tls.OwnCertificate;
import org.lrwp.sdk.tls.PemFile;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS to NATS: whom a node trusts, and what it shows. */
public final class NatsTls {
    private NatsTls() {}

    /**
     * Reads the files. Blocks on them.
     *
     * @param trusted PEM file with the authorities of NATS; null for those of the JVM
     * @param own what this node shows; null for nothing
     * @return makes connections whose server has the name that was dialled
     * @throws IOException when a file cannot be used
     */
    public static SSLContext context(@Nullable Path trusted, @Nullable OwnCertificate own)
            throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManager[] shown = own == null ? new KeyManager[0] : own.keyManagers();
            context.init(shown, new TrustManager[] {checking(trusted)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    static X509ExtendedTrustManager checking(@Nullable Path trusted)
            throws IOException, GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        // Without a file, those of the JVM.
        factory.init(trusted == null ? null : PemFile.trustStore(trusted));
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager usual) {
                return new NameCheck(usual);
            }
        }
        throw new GeneralSecurityException("no trust manager for X.509");
    }

    /** The library for NATS does not compare the server's name with that of its certificate. */
    private static final class NameCheck extends X509ExtendedTrustManager {
        private final X509ExtendedTrustManager usual;

        NameCheck(X509ExtendedTrustManager usual) {
            this.usual = usual;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            if (!(socket instanceof SSLSocket inside)) {
                throw new CertificateException("no name to compare with");
            }
            SSLParameters parameters = inside.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            inside.setSSLParameters(parameters);
            usual.checkServerTrusted(chain, kind, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("only sockets are dialled");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind)
                throws CertificateException {
            throw new CertificateException("no name to compare with");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            throw new CertificateException("it is no server");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("it is no server");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind)
                throws CertificateException {
            throw new CertificateException("it is no server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return usual.getAcceptedIssuers();
        }
    }
}
