package org.lrwp.webapp.https;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys from PEM files (RFC 7468). Blocks for the disk. */
final class PemFiles {
    private static final Pattern PART =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    private static final List<String> KEY_KINDS = List.of("EC", "RSA", "EdDSA");
    private static final int MOST_BYTES = 1 << 20;
    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE);

    private PemFiles() {}

    /**
     * Reads a chain and its key, which may be one file.
     *
     * @throws NoSuchFileException when one of them is missing
     * @throws BadCertificateException when one cannot be used, or they do not belong together
     */
    static ServerCertificate read(Path certificate, Path key)
            throws NoSuchFileException, BadCertificateException {
        var read = new ServerCertificate(certificates(certificate), key(key));
        if (!read.isPair()) {
            throw new BadCertificateException(
                    "the key %s is not that of the certificate %s".formatted(key, certificate));
        }
        return read;
    }

    private static List<X509Certificate> certificates(Path file)
            throws NoSuchFileException, BadCertificateException {
        var found = new ArrayList<X509Certificate>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Matcher part = parts(file); part.find(); ) {
                if (part.group(1).equals("CERTIFICATE")) {
                    var bytes = new ByteArrayInputStream(bytes(part));
                    found.add((X509Certificate) factory.generateCertificate(bytes));
                }
            }
        } catch (CertificateException | IllegalArgumentException e) {
            throw new BadCertificateException("a certificate of %s cannot be read".formatted(file));
        }
        if (found.isEmpty()) {
            throw new BadCertificateException("%s has no certificate".formatted(file));
        }
        return found;
    }

    private static PrivateKey key(Path file) throws NoSuchFileException, BadCertificateException {
        requirePrivate(file);
        for (Matcher part = parts(file); part.find(); ) {
            String kind = part.group(1);
            if (kind.equals("PRIVATE KEY")) {
                return key(file, part);
            }
            if (kind.endsWith("PRIVATE KEY")) {
                throw new BadCertificateException(
                        "the key of %s is of the form \"%s\", which is not read: openssl pkcs8 -topk8 -nocrypt -in %s makes one that is"
                                .formatted(file, kind, file));
            }
        }
        throw new BadCertificateException("%s has no private key".formatted(file));
    }

    private static PrivateKey key(Path file, Matcher part) throws BadCertificateException {
        try {
            var encoded = new PKCS8EncodedKeySpec(bytes(part));
            for (String kind : KEY_KINDS) {
                PrivateKey key = key(kind, encoded);
                if (key != null) {
                    return key;
                }
            }
        } catch (IllegalArgumentException | NoSuchAlgorithmException unreadable) {
            throw new BadCertificateException("the key of %s cannot be read".formatted(file));
        }
        throw new BadCertificateException(
                "the key of %s is none of %s".formatted(file, String.join(", ", KEY_KINDS)));
    }

    private static @Nullable PrivateKey key(String kind, PKCS8EncodedKeySpec encoded)
            throws NoSuchAlgorithmException {
        try {
            return KeyFactory.getInstance(kind).generatePrivate(encoded);
        } catch (InvalidKeySpecException another) {
            return null;
        }
    }

    private static void requirePrivate(Path file)
            throws NoSuchFileException, BadCertificateException {
        try {
            var modes = EnumSet.copyOf(Files.getPosixFilePermissions(file));
            modes.retainAll(OTHERS);
            if (!modes.isEmpty()) {
                throw new BadCertificateException(
                        "the key %s can be read by others: its mode must be 600".formatted(file));
            }
        } catch (NoSuchFileException missing) {
            throw missing;
        } catch (UnsupportedOperationException | IOException e) {
            throw new BadCertificateException("the mode of %s cannot be read".formatted(file));
        }
    }

    private static Matcher parts(Path file) throws NoSuchFileException, BadCertificateException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new BadCertificateException(
                        "%s is longer than %,d bytes".formatted(file, MOST_BYTES));
            }
            return PART.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException missing) {
            throw missing;
        } catch (IOException e) {
            throw new BadCertificateException("%s cannot be read".formatted(file));
        }
    }

    private static byte[] bytes(Matcher part) {
        return Base64.getMimeDecoder().decode(part.group(2));
    }
}
