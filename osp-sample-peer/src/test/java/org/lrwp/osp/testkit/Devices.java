package org.lrwp.osp.testkit;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v1CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.lrwp.osp.secure.DeviceTrust;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.token.CryptoProvider;
import org.lrwp.osp.token.IdentityException;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.Revocations;
import org.lrwp.osp.token.SigningIdentity;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Devices with certificates of one authority, and what they sign. */
public final class Devices {
    private static final SigningIdentity AUTHORITY =
            new IdentityGenerator(Tokens.CLOCK).generateAuthority(KeyKind.ECDSA);
    private static final AtomicLong SERIALS = new AtomicLong(100);

    private Devices() {}

    /** Who issues the certificates. */
    public static SigningIdentity authority() {
        return AUTHORITY;
    }

    /** A device with a key on a curve. */
    public static SigningIdentity device(String customer, String id) throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
        keys.initialize(256);
        return device("CN=" + id + ",O=" + customer, keys.generateKeyPair(), "SHA256withECDSA");
    }

    /** A device by its subject, its key, and how its certificate is signed. */
    public static SigningIdentity device(String subject, KeyPair pair, String algorithm)
            throws Exception {
        return device(subject, pair, algorithm, Tokens.NOW.plus(Duration.ofDays(1)));
    }

    /** A device whose certificate counts up to a time. */
    @SuppressWarnings("JavaUtilDate") // The certificate builder takes nothing newer.
    public static SigningIdentity device(
            String subject, KeyPair pair, String algorithm, Instant until) throws Exception {
        X509CertificateHolder certificate =
                new X509v1CertificateBuilder(
                                AUTHORITY.certificate().getSubject(),
                                BigInteger.valueOf(SERIALS.incrementAndGet()),
                                Date.from(Tokens.NOW.minus(Duration.ofDays(2))),
                                Date.from(until),
                                new X500Name(subject),
                                SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()))
                        .build(new JcaContentSignerBuilder(algorithm).build(AUTHORITY.key()));
        return new SigningIdentity(pair.getPrivate(), certificate);
    }

    /** Nothing is revoked. */
    public static Revocations noneRevoked() {
        try {
            return Revocations.of(Optional.empty(), line -> {});
        } catch (IdentityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The signed form of somebody, who opens what a server has signed. */
    public static SignedMessages form(SigningIdentity signer, SigningIdentity server) {
        return new SignedMessages(
                new Keys(KeyRing.of(signer, List.of())),
                new DeviceTrust(List.of(server.certificate()), noneRevoked()),
                CryptoProvider.JDK.provider(),
                Tokens.CLOCK,
                new Random(1));
    }
}
