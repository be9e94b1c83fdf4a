package org.lrwp.osp.token;

import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v1CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Date;

/**
 * Makes an identity for trying things out. Its certificate is X.509 version 1 with printable names:
 * the common OSP client reads no other.
 */
public final class IdentityGenerator {
    private static final int SERIAL_BITS = 63;
    private static final int VALID_DAYS = 3_650;
    private static final String TOKENS = "osp.example";
    private static final String AUTHORITY = "ca.osp.example";

    private final InstantSource clock;

    /**
     * Creates a generator.
     *
     * @param clock the time from which certificates are valid
     */
    public IdentityGenerator(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Generates a key and signs its certificate with it. Takes up to a second or so.
     *
     * @return the identity with an RSA key, valid for ten years from a day ago
     */
    public SigningIdentity generate() {
        return generate(KeyKind.RSA);
    }

    /**
     * Generates a key of a kind and signs its certificate with it.
     *
     * @param kind which kind of key
     * @return the identity, valid for ten years from a day ago
     */
    public SigningIdentity generate(KeyKind kind) {
        return generate(kind, TOKENS);
    }

    /**
     * Generates the key of an authority, which issues certificates and signs no tokens.
     *
     * @param kind which kind of key
     * @return the identity, valid for ten years from a day ago, under another name than that of the
     *     tokens
     */
    public SigningIdentity generateAuthority(KeyKind kind) {
        return generate(kind, AUTHORITY);
    }

    @SuppressWarnings("JavaUtilDate") // The certificate builder takes nothing newer.
    private SigningIdentity generate(KeyKind kind, String commonName) {
        try {
            SecureRandom random = new SecureRandom();
            X500Name name = name(commonName);
            KeyPair pair = kind.generate(random);
            Instant from = clock.instant().minus(1, ChronoUnit.DAYS);
            X509v1CertificateBuilder certificate =
                    new X509v1CertificateBuilder(
                            name,
                            new BigInteger(SERIAL_BITS, random).setBit(0),
                            Date.from(from),
                            Date.from(from.plus(VALID_DAYS, ChronoUnit.DAYS)),
                            name,
                            SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
            return SigningIdentity.of(
                    pair.getPrivate(),
                    certificate.build(
                            new JcaContentSignerBuilder(kind.algorithm())
                                    .build(pair.getPrivate())));
        } catch (GeneralSecurityException | OperatorCreationException | IdentityException e) {
            throw new IllegalStateException("this JDK cannot make an identity", e);
        }
    }

    private static X500Name name(String commonName) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, new DERPrintableString(commonName))
                .addRDN(BCStyle.O, new DERPrintableString("OSPServer"))
                .build();
    }
}
