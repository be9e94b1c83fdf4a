package org.lrwp.osp.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.testkit.Devices;
import org.lrwp.osp.testkit.Tokens;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

final class TokenIssuerTest {
    private static final TokenTerms TERMS =
            new TokenTerms(
                    Optional.of(new Party("e164", "14048724799")),
                    new Party("e164", "1678"),
                    "MQ==",
                    Tokens.NOW.minus(Duration.ofMinutes(5)),
                    Tokens.NOW.plus(Duration.ofMinutes(10)),
                    "4711",
                    14_400);
    private static final TokenTerms IN_SECONDS =
            new TokenTerms(
                    TERMS.caller(),
                    TERMS.called(),
                    TERMS.callId(),
                    TERMS.validAfter().minusMillis(250),
                    TERMS.validUntil().minusMillis(250),
                    "4711",
                    14_400);

    private final SigningPool pool = new SigningPool(2, 64);
    private final Keys keys = new Keys(KeyRing.of(Tokens.identity(), List.of()));
    private final TokenIssuer issuer = issuer(keys, CryptoProvider.AUTO.provider());
    private final TokenVerifier verifier = new TokenVerifier(keys, Devices.noneRevoked(), false);

    @AfterEach
    void endThreads() {
        pool.close();
    }

    @Test
    void aTokenIsTheSmallestFormThatClientsTake() throws Exception {
        String token = issue(TokenClass.USUAL);

        CMSSignedData signed = Tokens.signedData(token);
        assertTrue(signed.getCertificates().getMatches(null).isEmpty());
        assertEquals(1, signed.getSignerInfos().size());
        SignerInformation signer = signed.getSignerInfos().getSigners().iterator().next();
        assertNull(signer.getSignedAttributes());
        assertEquals("2.16.840.1.101.3.4.2.1", signer.getDigestAlgOID());
        byte[] bytes = Base64.getDecoder().decode(token);
        assertTrue(
                Arrays.equals(
                        bytes, ASN1Primitive.fromByteArray(bytes).getEncoded(ASN1Encoding.DER)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"xml", "ascii-signed", "xml-certificate", "ascii-signed-certificate"})
    void everySignedClassIsVerifiedAndSaysTheSame(String kind) throws Exception {
        for (SigningIdentity identity : List.of(Tokens.identity(), Tokens.curve())) {
            keys.rotate(identity);

            String token = issue(TokenClass.parse(kind));

            assertTrue(Tokens.isSignedBy(identity, token));
            assertEquals(IN_SECONDS, verifier.verified(bytes(token), Tokens.NOW).terms());
            assertEquals(
                    kind.contains("certificate"),
                    !Tokens.signedData(token).getCertificates().getMatches(null).isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(CryptoProvider.class)
    void everyProviderSignsWhatTheJdkVerifies(CryptoProvider choice) throws Exception {
        Optional<Provider> provider = provider(choice);
        if (provider.isEmpty()) {
            return;
        }
        for (SigningIdentity identity : List.of(Tokens.identity(), Tokens.curve())) {
            TokenIssuer other = issuer(new Keys(KeyRing.of(identity, List.of())), provider.get());

            String token = other.issue(List.of(TERMS), TokenClass.USUAL).getFirst();

            assertTrue(Tokens.isSignedBy(identity, token));
        }
    }

    /** What signs is used again and again, by one thread after another. */
    @ParameterizedTest
    @EnumSource(CryptoProvider.class)
    void tokensThatAreAskedForAtOnceAreAllSigned(CryptoProvider choice) throws Exception {
        Optional<Provider> provider = provider(choice);
        if (provider.isEmpty()) {
            return;
        }
        for (SigningIdentity identity : List.of(Tokens.identity(), Tokens.curve())) {
            TokenIssuer other = issuer(new Keys(KeyRing.of(identity, List.of())), provider.get());
            List<Future<List<String>>> issued = new ArrayList<>();
            try (ExecutorService gateways = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 20; i++) {
                    issued.add(
                            gateways.submit(
                                    () -> other.issue(List.of(TERMS, TERMS), TokenClass.USUAL)));
                }
            }
            for (Future<List<String>> tokens : issued) {
                for (String token : tokens.get()) {
                    assertTrue(Tokens.isSignedBy(identity, token));
                }
            }
        }
    }

    /** Empty: it does not run on this machine. */
    private static Optional<Provider> provider(CryptoProvider choice) {
        try {
            return Optional.of(choice.provider());
        } catch (IllegalStateException notHere) {
            return Optional.empty();
        }
    }

    @Test
    void anUnsignedTokenIsItsTermsAlone() throws Exception {
        String xml = text(issue(TokenClass.parse("xml-unsigned")));
        String ascii = text(issue(TokenClass.parse("ascii-unsigned")));

        assertTrue(xml.startsWith("<?xml"), xml);
        assertTrue(ascii.startsWith("V=1\nr="), ascii);
        assertTrue(
                ascii.endsWith(
                        "\nc=14048724799\nC=1678\ni=MQ==\na=2026-11-20T07:23:35Z"
                                + "\nu=2026-11-20T07:38:35Z\nI=4711\nA=14400\n"),
                ascii);
    }

    @Test
    void unsignedTokensCountOnlyWhereTheyAreAllowed() throws Exception {
        for (String kind : List.of("xml-unsigned", "ascii-unsigned")) {
            byte[] token = bytes(issue(TokenClass.parse(kind)));

            assertRefused(Status.SIGNATURE_INVALID, token);
            assertEquals(
                    IN_SECONDS,
                    new TokenVerifier(keys, Devices.noneRevoked(), true)
                            .verified(token, Tokens.NOW)
                            .terms());
        }
    }

    @Test
    void aValueThatAnAsciiTokenCannotHoldIsRefused() {
        for (String number : List.of("two words", "1".repeat(201), "\u00e9")) {
            TokenTerms odd =
                    new TokenTerms(
                            TERMS.caller(),
                            new Party("e164", number),
                            TERMS.callId(),
                            TERMS.validAfter(),
                            TERMS.validUntil(),
                            "1",
                            1);

            RefusedException refusal =
                    assertThrows(
                            RefusedException.class,
                            () -> issuer.issue(List.of(odd), TokenClass.parse("ascii")));

            assertEquals(Status.BAD_REQUEST, refusal.status());
        }
    }

    @Test
    void aTokenThatWasChangedIsNotSigned() throws Exception {
        byte[] bytes = bytes(issue(TokenClass.USUAL));
        String content = new String(bytes, StandardCharsets.ISO_8859_1);
        bytes[content.indexOf("4711")] = '5';

        assertFalse(verifies(Base64.getEncoder().encodeToString(bytes)));
        assertRefused(Status.SIGNATURE_INVALID, bytes);
        assertTrue(verifies(issue(TokenClass.USUAL)));
    }

    @Test
    void aTokenOfAnotherIdentityIsNotOurs() throws Exception {
        Keys others = new Keys(KeyRing.of(Tokens.curve(), List.of()));
        TokenIssuer other = issuer(others, CryptoProvider.JDK.provider());

        for (String kind : List.of("xml", "xml-certificate")) {
            String token = other.issue(List.of(TERMS), TokenClass.parse(kind)).getFirst();

            assertTrue(Tokens.isSignedBy(Tokens.curve(), token));
            assertRefused(Status.CERTIFICATE_INVALID, bytes(token));
        }
    }

    @Test
    void bytesThatAreNoTokenAreRefused() {
        assertRefused(Status.SIGNATURE_INVALID, new byte[0]);
        assertRefused(Status.SIGNATURE_INVALID, new byte[] {48, 3, 1, 1, 1});
        assertRefused(Status.SIGNATURE_INVALID, new byte[20_000]);
    }

    @Test
    void afterARotationTheNewKeySignsAndTheOldOneStillVerifies() throws Exception {
        String before = issue(TokenClass.USUAL);

        keys.rotate(Tokens.curve());
        String after = issue(TokenClass.USUAL);

        assertTrue(Tokens.isSignedBy(Tokens.curve(), after));
        assertEquals(IN_SECONDS, verifier.verified(bytes(before), Tokens.NOW).terms());
        assertEquals(IN_SECONDS, verifier.verified(bytes(after), Tokens.NOW).terms());
    }

    @Test
    void changedFilesAreRotatedToAndBrokenOnesAreNot(@TempDir Path folder) throws Exception {
        IdentitySource.Pem first = files(folder.resolve("first"));
        IdentityFiles.write(Tokens.identity(), first);
        List<String> log = new ArrayList<>();
        KeyRotation rotation = new KeyRotation(first, keys, new KeySeparation(List.of()), log::add);

        rotation.look();
        IdentitySource.Pem second = files(folder.resolve("second"));
        IdentityFiles.write(Tokens.curve(), second);
        replace(second.key(), first.key());
        rotation.look();
        rotation.look();
        assertEquals(Tokens.identity(), keys.ring().signer());
        replace(second.certificate(), first.certificate());
        rotation.look();
        rotation.look();

        assertEquals(Tokens.curve(), keys.ring().signer());
        assertEquals(2, log.size());
        assertTrue(log.getFirst().startsWith("key-not-rotated reason=\""), log::toString);
        assertEquals("key-rotated certificates-that-verify=2", log.getLast());
    }

    @Test
    void signaturesThatWouldWaitTooLongAreRefused() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        try (SigningPool narrow = new SigningPool(1, 1)) {
            Callable<Boolean> slow =
                    () -> {
                        held.await();
                        return true;
                    };

            RefusedException refusal =
                    assertThrows(
                            RefusedException.class, () -> narrow.all(List.of(slow, slow, slow)));
            held.countDown();

            assertEquals(Status.SERVICE_UNAVAILABLE, refusal.status());
        }
    }

    @Test
    void tokensOfTheSameTermsDiffer() throws Exception {
        assertNotEquals(issue(TokenClass.USUAL), issue(TokenClass.USUAL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "xml-xml", "pdf", "unsigned-certificate"})
    void aClassThatDoesNotExistIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> TokenClass.parse(text));
    }

    private static IdentitySource.Pem files(Path folder) {
        return new IdentitySource.Pem(folder.resolve("key.pem"), folder.resolve("cert.pem"));
    }

    private static void replace(Path from, Path to) throws Exception {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private TokenIssuer issuer(Keys whose, Provider provider) {
        return new TokenIssuer(whose, provider, pool, new Random(1));
    }

    private String issue(TokenClass kind) throws RefusedException {
        return issuer.issue(List.of(TERMS), kind).getFirst();
    }

    private void assertRefused(Status status, byte[] token) {
        assertEquals(
                status,
                assertThrows(RefusedException.class, () -> verifier.verified(token, Tokens.NOW))
                        .status());
    }

    private static byte[] bytes(String token) {
        return Base64.getDecoder().decode(token);
    }

    private static String text(String token) {
        return new String(bytes(token), StandardCharsets.UTF_8);
    }

    private static boolean verifies(String token) throws Exception {
        try {
            return Tokens.isSignedBy(Tokens.identity(), token);
        } catch (CMSException changed) {
            return false;
        }
    }
}
