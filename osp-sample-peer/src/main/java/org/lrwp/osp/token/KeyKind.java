package org.lrwp.osp.token;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;

/** Kinds of keys that are generated. */
public enum KeyKind {
    /** RSA with 2,048 bits: what every client verifies. */
    RSA("SHA256withRSA"),
    /** ECDSA on the curve P-256: a fifteenth of the work, for clients that verify it. */
    ECDSA("SHA256withECDSA");

    private static final int RSA_BITS = 2_048;

    private final String algorithm;

    KeyKind(String algorithm) {
        this.algorithm = algorithm;
    }

    String algorithm() {
        return algorithm;
    }

    KeyPair generate(SecureRandom random) throws GeneralSecurityException {
        KeyPairGenerator keys;
        if (this == RSA) {
            keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(RSA_BITS, random);
        } else {
            keys = KeyPairGenerator.getInstance("EC");
            keys.initialize(new ECGenParameterSpec("secp256r1"), random);
        }
        return keys.generateKeyPair();
    }
}
