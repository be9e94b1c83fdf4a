package org.lrwp.acme;

import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.connector.HttpConnector;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Reaches directories at their URLs, with Java's roots or with those of a file. Immutable. */
final class DirectoryTrust extends GenericAcmeProvider {
    private final @Nullable SSLContext context;

    private DirectoryTrust(@Nullable SSLContext context) {
        this.context = context;
    }

    /**
     * Reads the roots; blocks on the disk.
     *
     * @param file a PEM file; empty for Java's own roots
     */
    static DirectoryTrust of(String file) throws IOException {
        return new DirectoryTrust(
                file.isEmpty() ? null : context(Pem.certificates(Files.readString(Path.of(file)))));
    }

    private static SSLContext context(List<X509Certificate> roots) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate root : roots) {
                store.setCertificateEntry(Integer.toString(store.size()), root);
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("its certificates cannot be used", e);
        }
    }

    @Override
    protected HttpConnector createHttpConnector(NetworkSettings settings) {
        SSLContext own = context;
        return new HttpConnector(settings) {
            @Override
            public HttpClient.Builder createClientBuilder() {
                HttpClient.Builder builder = super.createClientBuilder();
                return own == null ? builder : builder.sslContext(own);
            }
        };
    }
}
