package org.lrwp.osp.token;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;

import java.io.IOException;
import java.time.Instant;
import java.util.Set;

/** What is asked of certificates, wherever one is shown. Stateless, any thread may call it. */
public final class Certificates {
    /** The shortest RSA key that counts, in bits. */
    public static final int LEAST_RSA_BITS = 2_048;

    /** The smallest curve that counts, in bits of its order. */
    public static final int LEAST_CURVE_BITS = 256;

    private static final Set<ASN1ObjectIdentifier> STRONG_DIGESTS =
            Set.of(
                    NISTObjectIdentifiers.id_sha256,
                    NISTObjectIdentifiers.id_sha384,
                    NISTObjectIdentifiers.id_sha512);

    private static final Set<ASN1ObjectIdentifier> STRONG_SIGNATURES =
            Set.of(
                    PKCSObjectIdentifiers.sha256WithRSAEncryption,
                    PKCSObjectIdentifiers.sha384WithRSAEncryption,
                    PKCSObjectIdentifiers.sha512WithRSAEncryption,
                    X9ObjectIdentifiers.ecdsa_with_SHA256,
                    X9ObjectIdentifiers.ecdsa_with_SHA384,
                    X9ObjectIdentifiers.ecdsa_with_SHA512);

    private Certificates() {}

    /**
     * Tells whether a certificate counts at a time.
     *
     * @param certificate the certificate
     * @param now the time
     * @return whether it has begun and is not over
     */
    @SuppressWarnings("JavaUtilDate") // The library has nothing newer.
    public static boolean isInTime(X509CertificateHolder certificate, Instant now) {
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
    }

    /**
     * Tells who issued a certificate.
     *
     * @param certificate the certificate
     * @param issuer who may have issued it
     * @return whether it names the issuer and has its signature
     */
    public static boolean isIssuedBy(
            X509CertificateHolder certificate, X509CertificateHolder issuer) {
        if (!issuer.getSubject().equals(certificate.getIssuer())) {
            return false;
        }
        try {
            return certificate.isSignatureValid(
                    new JcaContentVerifierProviderBuilder().build(issuer));
        } catch (Exception unusable) {
            // The library declares several; each means that this issuer did not sign it.
            return false;
        }
    }

    /**
     * Tells whether a key is long enough.
     *
     * @param key a public key
     * @return true for RSA of {@link #LEAST_RSA_BITS} or more and for curves of {@link
     *     #LEAST_CURVE_BITS} or more; false for all others, also of other kinds
     */
    public static boolean isLongEnough(SubjectPublicKeyInfo key) {
        AsymmetricKeyParameter read;
        try {
            read = PublicKeyFactory.createKey(key);
        } catch (IOException | IllegalArgumentException unknown) {
            return false;
        }
        return switch (read) {
            case RSAKeyParameters rsa -> rsa.getModulus().bitLength() >= LEAST_RSA_BITS;
            case ECPublicKeyParameters curve ->
                    curve.getParameters().getN().bitLength() >= LEAST_CURVE_BITS;
            default -> false;
        };
    }

    /**
     * Tells whether a way to sign withstands forgery.
     *
     * @param signature the algorithm of a certificate's or a request's signature
     * @return true for RSA (PKCS #1 version 1.5) and ECDSA with SHA-256, SHA-384 or SHA-512; false
     *     for all others, such as those with SHA-1 and MD5
     */
    public static boolean isStrongSignature(AlgorithmIdentifier signature) {
        return STRONG_SIGNATURES.contains(signature.getAlgorithm());
    }

    /**
     * Tells whether a digest withstands collisions.
     *
     * @param digest the algorithm
     * @return true for SHA-256, SHA-384 and SHA-512
     */
    public static boolean isStrongDigest(AlgorithmIdentifier digest) {
        return STRONG_DIGESTS.contains(digest.getAlgorithm());
    }
}
