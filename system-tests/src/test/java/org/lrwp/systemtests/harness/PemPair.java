package org.lrwp.systemtests.harness;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key of an elliptic curve and its certificates, read with the JDK alone.
 *
 * @param key the key
 * @param chain its certificate first
 */
public record PemPair(PrivateKey key, List<X509Certificate> chain) {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");
    private static final Pattern CERTIFICATES =
            Pattern.compile("(-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\\s*)+");

    /** Copies. */
    public PemPair {
        chain = List.copyOf(chain);
    }

    /** Reads files that hold both together. */
    public static PemPair read(Path... files) throws IOException, GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            text.append(Files.readString(file, StandardCharsets.US_ASCII));
        }
        Matcher key = KEY.matcher(text);
        Matcher certificates = CERTIFICATES.matcher(text);
        if (!key.find() || !certificates.find()) {
            throw new IOException("key or certificate is missing");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(key.group(1).strip());
        byte[] chain = certificates.group().getBytes(StandardCharsets.US_ASCII);
        return new PemPair(
                KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded)),
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(chain))
                        .stream()
                        .map(X509Certificate.class::cast)
                        .toList());
    }

    /** A server that shows it; fails when key and certificate do not belong together. */
    public SSLContext server() throws IOException, GeneralSecurityException {
        char[] password = {'x'};
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("x", key, password, chain.toArray(Certificate[]::new));
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
