package org.lrwp.webapp.https;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A certificate chain with its private key. The key never becomes part of a text.
 *
 * @param chain the server's own certificate first; at least that one
 * @param key its private key
 */
record ServerCertificate(List<X509Certificate> chain, PrivateKey key) {
    private static final byte[] PROBE = {1, 2, 3};

    /** Checks that there is a certificate. */
    ServerCertificate {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("no certificate");
        }
    }

    X509Certificate own() {
        return chain.getFirst();
    }

    /** When it ends. */
    Instant until() {
        return own().getNotAfter().toInstant();
    }

    /** Whether certificate and key belong together: what one signs, the other verifies. */
    boolean isPair() {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> key.getAlgorithm();
                };
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(PROBE);
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(own());
            verifying.update(PROBE);
            return verifying.verify(signing.sign());
        } catch (GeneralSecurityException anotherKind) {
            return false;
        }
    }

    @Override
    public String toString() {
        return own().getSubjectX500Principal().getName();
    }
}
