package org.lrwp.sdk.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.TrustManagerFactory;

/**
 * Reads files in PEM form (RFC 7468). Text around the blocks is skipped. Thread-safe; each method
 * reads its file and blocks on it. Messages name the file and never show what is in it.
 */
public final class PemFile {
    private static final System.Logger LOG = System.getLogger(PemFile.class.getName());

    /** A list of revoked certificates may be long; a file above this is something else. */
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]++)-----([^-]*+)-----END \\1-----");
    private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private PemFile() {}

    /**
     * Reads certificates.
     *
     * @param file with one {@code CERTIFICATE} block or more
     * @return the certificates in their order, at least one
     * @throws IOException when the file cannot be read or holds no certificate, or a broken one
     */
    public static List<X509Certificate> certificates(Path file) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (byte[] block : blocks(file, "CERTIFICATE")) {
                var in = new ByteArrayInputStream(block);
                certificates.add((X509Certificate) factory.generateCertificate(in));
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": a certificate is broken", e);
        }
        return List.copyOf(certificates);
    }

    /**
     * Reads authorities, as a trust manager wants them. Blocks on the file.
     *
     * @param file PEM file with their certificates
     * @return those and no others
     * @throws IOException when there are none that can be read
     * @throws GeneralSecurityException when the JVM cannot keep them
     */
    public static KeyStore trustStore(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (X509Certificate authority : certificates(file)) {
            store.setCertificateEntry("authority-" + store.size(), authority);
        }
        return store;
    }

    /**
     * Reads authorities, and trusts what they have signed. Blocks on the file.
     *
     * @param file PEM file with their certificates
     * @return has trust managers for those and no others
     * @throws IOException when there are none that can be read
     * @throws GeneralSecurityException when the JVM cannot use them
     */
    public static TrustManagerFactory trust(Path file)
            throws IOException, GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trustStore(file));
        return factory;
    }

    /**
     * Reads lists of revoked certificates.
     *
     * @param file with one {@code X509 CRL} block or more
     * @return the lists, at least one
     * @throws IOException when the file cannot be read or holds no list, or a broken one
     */
    public static List<X509CRL> revoked(Path file) throws IOException {
        List<X509CRL> lists = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (byte[] block : blocks(file, "X509 CRL")) {
                lists.add((X509CRL) factory.generateCRL(new ByteArrayInputStream(block)));
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": a CRL is broken", e);
        }
        return List.copyOf(lists);
    }

    /**
     * Reads a private key: EC, RSA or EdDSA, as PKCS#8 without password.
     *
     * @param file with one {@code PRIVATE KEY} block, which only owner and group may read
     * @return the key
     * @throws IOException when the file cannot be read, others may read it, or it holds no such key
     */
    public static PrivateKey privateKey(Path file) throws IOException {
        checkMode(file);
        var encoded = new PKCS8EncodedKeySpec(blocks(file, "PRIVATE KEY").get(0));
        InvalidKeySpecException fault = null;
        try {
            for (String algorithm : KEY_ALGORITHMS) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
                } catch (InvalidKeySpecException e) {
                    // Not of this kind: the next one may fit.
                    fault = e;
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": its key cannot be used here", e);
        }
        throw new IOException(file + ": a key, but none of " + KEY_ALGORITHMS, fault);
    }

    private static void checkMode(Path file) throws IOException {
        try {
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                throw new IOException(file + ": others may read this key: chmod 600");
            }
        } catch (UnsupportedOperationException e) {
            // A file system without modes, as that of Windows: its own rights hold there.
            LOG.log(System.Logger.Level.DEBUG, "key-mode-unknown file={0}", file);
        }
    }

    private static List<byte[]> blocks(Path file, String label) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + ": more than " + MOST_BYTES + " bytes");
        }
        Matcher matcher = BLOCK.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        List<byte[]> found = new ArrayList<>();
        List<String> others = new ArrayList<>();
        while (matcher.find()) {
            if (matcher.group(1).equals(label)) {
                found.add(decode(file, matcher.group(2)));
            } else {
                others.add(matcher.group(1));
            }
        }
        if (found.isEmpty()) {
            boolean key = others.stream().anyMatch(other -> other.endsWith("PRIVATE KEY"));
            throw new IOException(
                    file
                            + ": no "
                            + label
                            + (others.isEmpty() ? " in PEM form" : ", only " + others)
                            + (key ? " (convert it: openssl pkcs8 -topk8 -nocrypt)" : ""));
        }
        return found;
    }

    private static byte[] decode(Path file, String base64) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": a block is no base64", e);
        }
    }
}
