package org.lrwp.osp.token;

import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.cert.X509CertificateHolder;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.X509EncodedKeySpec;

/**
 * Whom tokens come from: a key and its certificate. Clients hold this certificate, or that of its
 * issuer, and no other.
 *
 * @param key the private key: RSA of 2,048 bits or more, or ECDSA on a curve of 256 bits or more
 * @param certificate the certificate of that key
 */
public record SigningIdentity(PrivateKey key, X509CertificateHolder certificate) {
    private static final byte[] PROBE = {1};

    /**
     * Joins a key and a certificate after checking that they belong together.
     *
     * @param key the private key
     * @param certificate the certificate
     * @return the identity
     * @throws IdentityException when the key is too short or of another kind, or the certificate is
     *     of another key
     */
    static SigningIdentity of(PrivateKey key, X509CertificateHolder certificate)
            throws IdentityException {
        switch (key) {
            case RSAPrivateKey rsa -> check(rsa, certificate);
            case ECPrivateKey curve -> check(curve, certificate);
            default -> throw new IdentityException("the key is neither RSA nor ECDSA");
        }
        return new SigningIdentity(key, certificate);
    }

    /**
     * Tells which kind of key it is.
     *
     * @return true for RSA, false for ECDSA
     */
    public boolean isRsa() {
        return key instanceof RSAPrivateKey;
    }

    /**
     * Names the way this identity signs.
     *
     * @return {@code SHA256withRSA} or {@code SHA256withECDSA}
     */
    public String algorithm() {
        return isRsa() ? "SHA256withRSA" : "SHA256withECDSA";
    }

    private static void check(RSAPrivateKey key, X509CertificateHolder certificate)
            throws IdentityException {
        if (key.getModulus().bitLength() < Certificates.LEAST_RSA_BITS) {
            throw new IdentityException(
                    "the key is shorter than " + Certificates.LEAST_RSA_BITS + " bits");
        }
        if (!key.getModulus().equals(modulus(certificate))) {
            throw new IdentityException("the certificate does not belong to the key");
        }
    }

    private static BigInteger modulus(X509CertificateHolder certificate) throws IdentityException {
        try {
            return RSAPublicKey.getInstance(certificate.getSubjectPublicKeyInfo().parsePublicKey())
                    .getModulus();
        } catch (IOException | IllegalArgumentException notRsa) {
            throw new IdentityException("the certificate is not one of an RSA key", notRsa);
        }
    }

    /** A private key on a curve does not tell its public one, so a signature has to prove it. */
    private static void check(ECPrivateKey key, X509CertificateHolder certificate)
            throws IdentityException {
        if (key.getParams().getOrder().bitLength() < Certificates.LEAST_CURVE_BITS) {
            throw new IdentityException("the key's curve is shorter than 256 bits");
        }
        try {
            PublicKey shown =
                    KeyFactory.getInstance("EC")
                            .generatePublic(
                                    new X509EncodedKeySpec(
                                            certificate.getSubjectPublicKeyInfo().getEncoded()));
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(PROBE);
            byte[] proof = signature.sign();
            signature.initVerify(shown);
            signature.update(PROBE);
            if (signature.verify(proof)) {
                return;
            }
        } catch (GeneralSecurityException | IOException notTheCurve) {
            throw new IdentityException("the certificate does not belong to the key", notTheCurve);
        }
        throw new IdentityException("the certificate does not belong to the key");
    }
}
