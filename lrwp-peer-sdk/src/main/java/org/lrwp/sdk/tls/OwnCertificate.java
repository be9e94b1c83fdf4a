package org.lrwp.sdk.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * A certificate with its private key: what one side of a TLS connection shows and proves. Never
 * printed.
 *
 * @param chain the certificate first, then those of its issuers as far as the other side needs them
 * @param key the private key of the first certificate
 */
public record OwnCertificate(List<X509Certificate> chain, PrivateKey key) {
    private static final int PROBE_SIZE = 32;

    /** Copies the chain. */
    public OwnCertificate {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("the chain is empty");
        }
    }

    /**
     * Reads a certificate and its key. Blocks on the files.
     *
     * @param certificate PEM file: the certificate first, then its issuers
     * @param key PEM file: PKCS#8 without password, not readable for others
     * @return the two, which fit together
     * @throws IOException when a file cannot be read, is broken, or the two do not fit together
     */
    public static OwnCertificate read(Path certificate, Path key) throws IOException {
        var own = new OwnCertificate(PemFile.certificates(certificate), PemFile.privateKey(key));
        try {
            if (!own.fits()) {
                throw new IOException(key + " is not the key of " + certificate);
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(key + " is not the key of " + certificate, e);
        }
        return own;
    }

    /** Whether what the key signs is proved by the certificate. */
    private boolean fits() throws GeneralSecurityException {
        byte[] probe = new byte[PROBE_SIZE];
        new SecureRandom().nextBytes(probe);
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> key.getAlgorithm();
                };
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(chain.get(0).getPublicKey());
        signature.update(probe);
        return signature.verify(signed);
    }

    /**
     * Returns what the JDK's TLS needs of it.
     *
     * @return key managers that know this certificate only
     * @throws GeneralSecurityException when the JDK cannot use the key
     */
    public KeyManager[] keyManagers() throws GeneralSecurityException {
        char[] inMemory = new char[0];
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, inMemory);
            store.setKeyEntry("own", key, inMemory, chain.toArray(X509Certificate[]::new));
            var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, inMemory);
            return factory.getKeyManagers();
        } catch (IOException e) {
            throw new GeneralSecurityException("an empty key store cannot be made", e);
        }
    }

    @Override
    public String toString() {
        return "OwnCertificate[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
