package org.lrwp.osp.enrolment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.enrolment.CertificateTerms.Digest;
import org.lrwp.osp.testkit.PostedMessage;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.operation.GuessLimit;
import org.lrwp.sdk.PeerResponse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

final class EnrolmentHandlerTest {
    private static final int GUESSES = 3;
    private static final String ACCOUNT = "&username=trans&password=nexus&customer=1000&device=7";

    /** Made once: a key takes seconds. */
    private static final KeyPair GATEWAY = key();

    private static final KeyPair OTHER = key();

    @TempDir Path folder = Path.of("");

    private final List<String> log = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final GuessLimit guesses =
            new GuessLimit(GUESSES, EnrolmentHandler.GUESS_PAUSE, nanos::get);
    private CertificateTerms terms = new CertificateTerms(Duration.ofDays(365), Digest.SHA256);

    private static KeyPair key() {
        try {
            KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(2_048);
            return keys.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void writeAccounts() throws Exception {
        Files.writeString(folder.resolve("accounts"), "2000 1 a b\n1000  7 trans nexus\n");
        mode("rw-------");
    }

    private void mode(String mode) throws Exception {
        Files.setPosixFilePermissions(
                folder.resolve("accounts"), PosixFilePermissions.fromString(mode));
    }

    @Test
    void nobodyEnrolsWhileOthersMayReadTheAccounts() throws Exception {
        mode("rw-r--r--");
        assertEquals(
                "status=2", post("operation=request" + ACCOUNT + "&request=" + request(GATEWAY)));
        assertTrue(log.getFirst().contains("set its mode to 600"), log::toString);
    }

    @Test
    void theAuthoritysCertificateIsForEveryone() throws Exception {
        String answer = post("operation=getcacert");

        assertTrue(answer.startsWith("status=0&certificate="), answer);
        assertEquals(
                Tokens.identity().certificate(), certificate(answer.split("certificate=", 2)[1]));
    }

    @Test
    void aGatewayGetsACertificateInItsOwnNameForItsOwnKey() throws Exception {
        String answer =
                post("operation=request&nonce=A1" + ACCOUNT + "&request=" + request(GATEWAY));

        assertTrue(answer.startsWith("status=0&nonce=A1&cert="), answer);
        X509CertificateHolder certificate = certificate(answer.split("cert=", 2)[1]);
        assertEquals(new X500Name("CN=7,O=1000"), certificate.getSubject());
        assertEquals(1, certificate.getVersionNumber());
        assertTrue(
                certificate.isSignatureValid(
                        new JcaContentVerifierProviderBuilder()
                                .build(Tokens.identity().certificate())));
        assertEquals(
                Base64.getEncoder().encodeToString(GATEWAY.getPublic().getEncoded()),
                Base64.getEncoder()
                        .encodeToString(certificate.getSubjectPublicKeyInfo().getEncoded()));
        assertEquals(
                List.of(
                        "enrolled customer=1000 device=7 serial="
                                + certificate.getSerialNumber().toString(16)),
                log);
    }

    @Test
    void anOldClientGetsACertificateWithTheDigestItKnows() throws Exception {
        terms = new CertificateTerms(Duration.ofDays(1), Digest.MD5);
        String answer =
                post("operation=request&nonce=A1" + ACCOUNT + "&request=" + request(GATEWAY));

        requireMd5(certificate(answer.split("cert=", 2)[1]));
        X509CertificateHolder authority =
                certificate(post("operation=getcacert").split("certificate=", 2)[1]);
        requireMd5(authority);
        assertEquals(Tokens.identity().certificate().getSubject(), authority.getSubject());
    }

    private static void requireMd5(X509CertificateHolder certificate) throws Exception {
        assertEquals(
                PKCSObjectIdentifiers.md5WithRSAEncryption,
                certificate.getSignatureAlgorithm().getAlgorithm());
        assertTrue(
                certificate.isSignatureValid(
                        new JcaContentVerifierProviderBuilder()
                                .build(Tokens.identity().certificate())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "operation=retrieve",
                "operation=request",
                "operation=request&username=trans&password=wrong&customer=1000&device=7&request=x",
                "operation=request" + ACCOUNT + "&request=AAAA",
                "operation=request" + ACCOUNT + "&request=%zz",
                "operation=request" + ACCOUNT
            })
    void whatIsNotInOrderFailsAndIsLogged(String form) throws Exception {
        assertEquals("status=2", post(form));
        assertTrue(log.getFirst().startsWith("enrolment-refused reason=\""), log::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "1024, SHA256withRSA, 2",
        "2047, SHA256withRSA, 2",
        "2048, SHA1withRSA, 2",
        "2048, MD5withRSA, 2",
        "2048, SHA256withRSA, 0",
        "2048, SHA512withRSA, 0"
    })
    void shortKeysAndBrokenDigestsAreRefused(int bits, String algorithm, String status)
            throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
        keys.initialize(bits);

        String answer =
                post("operation=request" + ACCOUNT + "&request=" + request(keys, algorithm));

        assertTrue(answer.startsWith("status=" + status), answer);
    }

    @ParameterizedTest
    @CsvSource({
        "secp256r1, SHA256withECDSA, 0",
        "secp256r1, SHA1withECDSA, 2",
        "Ed25519, Ed25519, 2"
    })
    void keysOnCurvesAreTakenWhenTheyAreNotWeak(String curve, String algorithm, String status)
            throws Exception {
        KeyPairGenerator keys =
                KeyPairGenerator.getInstance(curve.startsWith("secp") ? "EC" : curve);
        if (curve.startsWith("secp")) {
            keys.initialize(new ECGenParameterSpec(curve));
        }

        String answer =
                post("operation=request" + ACCOUNT + "&request=" + request(keys, algorithm));

        assertTrue(answer.startsWith("status=" + status), answer);
    }

    @Test
    void aRequestSignedByAnotherKeyFails() throws Exception {
        String request = request(new KeyPair(GATEWAY.getPublic(), OTHER.getPrivate()));

        assertEquals("status=2", post("operation=request" + ACCOUNT + "&request=" + request));
    }

    @Test
    void whoeverGuessesPasswordsIsNotListenedToForAMinute() throws Exception {
        String wrong = "operation=request" + ACCOUNT.replace("nexus", "guess");
        for (int i = 0; i < GUESSES; i++) {
            assertEquals("status=2\n", text(from("192.0.2.7", wrong)));
        }
        String right = "operation=request" + ACCOUNT + "&request=" + request(GATEWAY);

        PeerResponse late = from("192.0.2.7", right);
        assertEquals(429, late.status());
        assertTrue(late.headers().contains(new HeaderField("Retry-After", "60")));
        assertTrue(log.getLast().endsWith("from=192.0.2.7"), log::toString);
        assertTrue(text(from("192.0.2.8", right)).startsWith("status=0"), log::toString);

        nanos.addAndGet(EnrolmentHandler.GUESS_PAUSE.toNanos());
        assertTrue(text(from("192.0.2.7", right)).startsWith("status=0"), log::toString);
    }

    private PeerResponse from(String address, String form) throws Exception {
        byte[] body = form.getBytes(StandardCharsets.US_ASCII);
        return handler().handle(PostedMessage.of("POST", "text/plain", address, body));
    }

    private static String text(PeerResponse response) {
        return new String(response.body(), StandardCharsets.US_ASCII);
    }

    @Test
    void onlyPostsOfAReasonableLengthAreRead() throws Exception {
        assertEquals(405, handler().handle(PostedMessage.of("GET", new byte[0])).status());
        assertEquals(413, handler().handle(PostedMessage.of("POST", new byte[20_000])).status());
    }

    private String post(String form) throws Exception {
        byte[] body = form.getBytes(StandardCharsets.US_ASCII);
        PeerResponse response = handler().handle(PostedMessage.of("POST", body));
        assertEquals(200, response.status());
        String answer = new String(response.body(), StandardCharsets.US_ASCII);
        assertTrue(answer.endsWith("\n"), answer);
        return answer.strip();
    }

    private EnrolmentHandler handler() {
        return new EnrolmentHandler(
                new CertificateAuthority(Tokens.identity(), () -> terms, Tokens.CLOCK),
                new Accounts(folder.resolve("accounts")),
                guesses,
                log::add);
    }

    private static String request(KeyPairGenerator keys, String algorithm) throws Exception {
        return request(keys.generateKeyPair(), algorithm);
    }

    private static String request(KeyPair pair) throws Exception {
        return request(pair, "SHA256withRSA");
    }

    private static String request(KeyPair pair, String algorithm) throws Exception {
        byte[] request =
                new JcaPKCS10CertificationRequestBuilder(
                                new X500Name("CN=anything"), pair.getPublic())
                        .build(new JcaContentSignerBuilder(algorithm).build(pair.getPrivate()))
                        .getEncoded();
        return Base64.getEncoder().encodeToString(request);
    }

    private static X509CertificateHolder certificate(String base64) throws Exception {
        return new X509CertificateHolder(Base64.getDecoder().decode(base64));
    }
}
