package org.lrwp.acme;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;

/**
 * Answers to tls-alpn-01, as files with a certificate and its key that the HTTPS port presents: RFC
 * 8737 section 3. One thread at a time.
 */
final class TlsAlpnAnswers implements ChallengeAnswers {
    private static final ASN1ObjectIdentifier ACME_IDENTIFIER =
            new ASN1ObjectIdentifier(TlsAlpn01Challenge.ACME_VALIDATION_OID);

    /** Around now, for clocks that differ. */
    private static final Duration VALID = Duration.ofDays(7);

    private final CertificateFolder folder;
    private final InstantSource clock;

    TlsAlpnAnswers(CertificateFolder folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
    }

    @Override
    public String type() {
        return TlsAlpn01Challenge.TYPE;
    }

    @Override
    public void show(String name, Challenge challenge) throws IOException {
        show(name, ((TlsAlpn01Challenge) challenge).getAcmeValidation());
    }

    /**
     * Shows the answer for a name.
     *
     * @param digest SHA-256 of the key authorization
     */
    void show(String name, byte[] digest) throws IOException {
        folder.addChallenge(name, certified(name, digest));
    }

    @Override
    public void remove(String name, Challenge challenge) throws IOException {
        folder.removeChallenge(name);
    }

    private CertifiedKey certified(String name, byte[] digest) throws IOException {
        KeyPair keys = CertifiedKey.newKeys();
        Instant now = clock.instant();
        X500Name subject = new X500Name("CN=acme.invalid");
        JcaX509v3CertificateBuilder builder =
                new JcaX509v3CertificateBuilder(
                        subject,
                        BigInteger.ONE,
                        Date.from(now.minus(VALID)),
                        Date.from(now.plus(VALID)),
                        subject,
                        keys.getPublic());
        GeneralName only = new GeneralName(GeneralName.dNSName, name);
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(only));
        builder.addExtension(ACME_IDENTIFIER, true, new DEROctetString(digest));
        try {
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
            var certificate =
                    new JcaX509CertificateConverter().getCertificate(builder.build(signer));
            return new CertifiedKey(keys.getPrivate(), List.of(certificate));
        } catch (OperatorCreationException | GeneralSecurityException e) {
            throw new IOException("no certificate for the challenge of " + name, e);
        }
    }
}
