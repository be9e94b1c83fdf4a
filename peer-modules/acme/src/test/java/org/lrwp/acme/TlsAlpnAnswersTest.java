package org.lrwp.acme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.bouncycastle.asn1.ASN1OctetString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;

class TlsAlpnAnswersTest {
    private static final Instant NOW = Instant.parse("2026-11-24T00:00:00Z");
    private static final String ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";

    @TempDir private Path parent;

    /** RFC 8737 section 3. */
    @Test
    void certificateHasTheNameAloneAndTheDigestInACriticalExtension() throws Exception {
        CertificateFolder folder = CertificateFolder.open(parent.resolve("acme"));
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest("token.thumbprint".getBytes(US_ASCII));

        new TlsAlpnAnswers(folder, new SetClock(NOW)).show("a.test", digest);

        Path file = parent.resolve("acme/challenges/a.test.pem");
        String text = Files.readString(file);
        X509Certificate certificate = Pem.certificates(text).getFirst();
        assertEquals(Set.of(ACME_IDENTIFIER), certificate.getCriticalExtensionOIDs());
        byte[] outer =
                ASN1OctetString.getInstance(certificate.getExtensionValue(ACME_IDENTIFIER))
                        .getOctets();
        assertArrayEquals(digest, ASN1OctetString.getInstance(outer).getOctets());
        assertEquals(
                List.of(List.of(2, "a.test")),
                List.copyOf(certificate.getSubjectAlternativeNames()));
        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity(Date.from(NOW.plus(Duration.ofDays(1))));
        certificate.checkValidity(Date.from(NOW.minus(Duration.ofDays(1))));

        // The key is behind it in the same file, and belongs to it.
        String key = text.substring(text.indexOf("-----BEGIN PRIVATE KEY-----"));
        assertTrue(
                new CertifiedKey(Pem.privateKey(key), List.of(certificate))
                        .isFor(List.of("a.test")));

        folder.removeChallenge("a.test");
        assertFalse(Files.exists(file));
        folder.removeChallenge("a.test");
    }
}
