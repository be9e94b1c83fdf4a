package org.lrwp.acme;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Certificates as a certification authority would make them. */
final class TestCertificates {
    private static final KeyPair AUTHORITY = CertifiedKey.newKeys();
    private static final AtomicLong SERIAL = new AtomicLong();

    private TestCertificates() {}

    static CertifiedKey pair(Instant begin, Duration life, String... names) throws Exception {
        KeyPair keys = CertifiedKey.newKeys();
        X509Certificate leaf = leaf(keys.getPublic(), begin, life, names);
        X509Certificate authority = leaf(AUTHORITY.getPublic(), begin, life, "authority.test");
        return new CertifiedKey(keys.getPrivate(), List.of(leaf, authority));
    }

    static X509Certificate leaf(PublicKey key, Instant begin, Duration life, String... names)
            throws Exception {
        JcaX509v3CertificateBuilder builder =
                new JcaX509v3CertificateBuilder(
                        new X500Name("CN=test authority"),
                        BigInteger.valueOf(SERIAL.incrementAndGet()),
                        Date.from(begin),
                        Date.from(begin.plus(life)),
                        new X500Name("CN=" + (names.length == 0 ? "nobody" : names[0])),
                        key);
        if (names.length > 0) {
            GeneralName[] all = new GeneralName[names.length];
            for (int i = 0; i < names.length; i++) {
                all[i] = new GeneralName(GeneralName.dNSName, names[i]);
            }
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(all));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(
                                new JcaContentSignerBuilder("SHA256withECDSA")
                                        .build(AUTHORITY.getPrivate())));
    }
}
