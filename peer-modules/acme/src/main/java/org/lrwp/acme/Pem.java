package org.lrwp.acme;

import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;

/** Certificates and private keys as text: RFC 7468. */
final class Pem {
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String PUBLIC_KEY = "PUBLIC KEY";

    private Pem() {}

    static String of(List<X509Certificate> chain) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            for (X509Certificate certificate : chain) {
                writer.writeObject(new PemObject(CERTIFICATE, certificate.getEncoded()));
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("a certificate cannot be written", e);
        }
        return text.toString();
    }

    /** As PKCS#8. */
    static String of(PrivateKey key) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(PRIVATE_KEY, key.getEncoded()));
        }
        return text.toString();
    }

    /**
     * Reads certificates; what else is in the text is passed over.
     *
     * @throws IOException when there is none, or one cannot be read
     */
    static List<X509Certificate> certificates(String text) throws IOException {
        List<X509Certificate> chain = new ArrayList<>();
        try (PemReader reader = new PemReader(new StringReader(text))) {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (PemObject one = reader.readPemObject();
                    one != null;
                    one = reader.readPemObject()) {
                if (one.getType().equals(CERTIFICATE)) {
                    var content = new ByteArrayInputStream(one.getContent());
                    chain.add((X509Certificate) factory.generateCertificate(content));
                }
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new IOException("a certificate cannot be read", e);
        }
        if (chain.isEmpty()) {
            throw new IOException("there is no certificate");
        }
        return chain;
    }

    /** Private key, as PKCS#8, and public key. */
    static String of(KeyPair keys) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(PUBLIC_KEY, keys.getPublic().getEncoded()));
        }
        return of(keys.getPrivate()) + text;
    }

    /**
     * Reads the private key of an elliptic curve; what else is in the text is passed over.
     *
     * @throws IOException when there is none
     */
    static PrivateKey privateKey(String text) throws IOException {
        byte[] content = first(text, PRIVATE_KEY);
        try {
            return KeyFactory.getInstance(CertifiedKey.ALGORITHM)
                    .generatePrivate(new PKCS8EncodedKeySpec(content));
        } catch (GeneralSecurityException e) {
            // Without its cause: that may show parts of the key.
            throw new IOException("the private key cannot be read");
        }
    }

    /**
     * Reads both keys of an elliptic curve.
     *
     * @throws IOException when they are not there, or do not belong together
     */
    static KeyPair keyPair(String text) throws IOException {
        PrivateKey secret = privateKey(text);
        try {
            PublicKey open =
                    KeyFactory.getInstance(CertifiedKey.ALGORITHM)
                            .generatePublic(new X509EncodedKeySpec(first(text, PUBLIC_KEY)));
            if (CertifiedKey.belong(secret, open)) {
                return new KeyPair(open, secret);
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("the public key cannot be read", e);
        }
        throw new IOException("private and public key do not belong together");
    }

    private static byte[] first(String text, String type) throws IOException {
        try (PemReader reader = new PemReader(new StringReader(text))) {
            for (PemObject one = reader.readPemObject();
                    one != null;
                    one = reader.readPemObject()) {
                if (one.getType().equals(type)) {
                    return one.getContent();
                }
            }
        } catch (RuntimeException e) {
            throw new IOException("a " + type + " cannot be read");
        }
        throw new IOException("there is no " + type);
    }
}
