package org.lrwp.osp.token;

import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.cert.X509CertificateHolder;

import java.io.IOException;
import java.math.BigInteger;
import java.security.interfaces.RSAPrivateKey;

/**
 * Whom tokens come from: an RSA key and its certificate. Clients hold this certificate, or that of
 * its issuer, and no other.
 *
 * @param key the private key, 2,048 bits or more
 * @param certificate the certificate of that key
 */
public record SigningIdentity(RSAPrivateKey key, X509CertificateHolder certificate) {
    private static final int MINIMUM_BITS = 2_048;

    /**
     * Joins a key and a certificate after checking that they belong together.
     *
     * @param key the private key
     * @param certificate the certificate
     * @return the identity
     * @throws IdentityException when the key is shorter than 2,048 bits, or the certificate is of
     *     another key
     */
    static SigningIdentity of(RSAPrivateKey key, X509CertificateHolder certificate)
            throws IdentityException {
        if (key.getModulus().bitLength() < MINIMUM_BITS) {
            throw new IdentityException("the key is shorter than " + MINIMUM_BITS + " bits");
        }
        if (!key.getModulus().equals(modulus(certificate))) {
            throw new IdentityException("the certificate does not belong to the key");
        }
        return new SigningIdentity(key, certificate);
    }

    private static BigInteger modulus(X509CertificateHolder certificate) throws IdentityException {
        try {
            return RSAPublicKey.getInstance(certificate.getSubjectPublicKeyInfo().parsePublicKey())
                    .getModulus();
        } catch (IOException | IllegalArgumentException notRsa) {
            throw new IdentityException("the certificate is not one of an RSA key", notRsa);
        }
    }
}
