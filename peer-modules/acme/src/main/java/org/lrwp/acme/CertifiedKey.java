package org.lrwp.acme;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A private key and the certificate for its public key.
 *
 * @param key the key
 * @param chain its certificate first, then those of its issuers
 */
record CertifiedKey(PrivateKey key, List<X509Certificate> chain) {
    static final String ALGORITHM = "EC";

    private static final String CURVE = "secp256r1";
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final int DNS_NAME = 2;

    /** Checks that both belong together. */
    CertifiedKey {
        chain = List.copyOf(chain);
        if (chain.isEmpty() || !belong(key, chain.getFirst().getPublicKey())) {
            throw new IllegalArgumentException("key and certificate do not belong together");
        }
    }

    /** A new key pair on the curve P-256. */
    static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(new ECGenParameterSpec(CURVE));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has this curve", e);
        }
    }

    /** Whether what one key signs is good for the other. */
    static boolean belong(PrivateKey key, PublicKey open) {
        byte[] text = {'l', 'r', 'w', 'p'};
        try {
            Signature signing = Signature.getInstance(SIGNATURE);
            signing.initSign(key);
            signing.update(text);
            Signature checking = Signature.getInstance(SIGNATURE);
            checking.initVerify(open);
            checking.update(text);
            return checking.verify(signing.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    X509Certificate certificate() {
        return chain.getFirst();
    }

    Instant end() {
        return certificate().getNotAfter().toInstant();
    }

    /** Whether the certificate is for all of these names. */
    boolean isFor(Collection<String> names) {
        Set<String> certified = new HashSet<>();
        try {
            Collection<List<?>> all = certificate().getSubjectAlternativeNames();
            for (List<?> one : all == null ? List.<List<?>>of() : all) {
                if (Integer.valueOf(DNS_NAME).equals(one.getFirst())) {
                    certified.add(String.valueOf(one.getLast()).toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException e) {
            return false;
        }
        return certified.containsAll(names);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "CertifiedKey[" + certificate().getSerialNumber().toString(16) + "]";
    }
}
