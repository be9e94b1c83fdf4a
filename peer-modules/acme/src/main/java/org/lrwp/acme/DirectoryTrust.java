package org.lrwp.acme;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.tls.PemFile;
import org.shredzone.acme4j.connector.Connection;
import org.shredzone.acme4j.connector.HttpConnector;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

import javax.net.ssl.SSLContext;

/**
 * Reaches directories at their URLs, with Java's roots or with those of a file. An answer has to
 * come within the time of its request. Immutable.
 */
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
        return new DirectoryTrust(file.isEmpty() ? null : context(Path.of(file)));
    }

    private static SSLContext context(Path roots) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, PemFile.trust(roots).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("its certificates cannot be used", e);
        }
    }

    @Override
    public Connection connect(URI server, NetworkSettings settings) {
        return new BoundedConnection(createHttpConnector(settings), settings.getTimeout());
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
