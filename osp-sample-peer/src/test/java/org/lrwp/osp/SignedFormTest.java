package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.configuration.OspKeys;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.secure.SignedMessages.SignedMessage;
import org.lrwp.osp.testkit.Devices;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.osp.token.SigningIdentity;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.testkit.Configurations;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;

/** Messages as multipart/signed. */
final class SignedFormTest {
    private static final String USAGE = "deb413-call/002-UsageIndication";
    private static final String NAME = "CN=7,O=1000";

    @Test
    void aSignedMessageIsAnsweredInTheSignedForm() throws Exception {
        SignedMessages form = form(Devices.device("1000", "7"));
        SignedMessage question = form.sign(Vectors.bytes(USAGE));

        PeerResponse answer = server("accept").post(question.contentType(), question.body());

        assertEquals(200, answer.status());
        String contentType = answer.headers().getFirst().value();
        assertTrue(contentType.startsWith("multipart/signed; "), contentType);
        assertEquals(
                "UsageConfirmation",
                new MessageReader()
                        .read(form.open(contentType, answer.body()).message())
                        .components()
                        .getFirst()
                        .name());
    }

    @Test
    void aMessageThatWasChangedOrSignedByAStrangerIsRefused() throws Exception {
        SignedMessage ours = form(Devices.device("1000", "7")).sign(Vectors.bytes(USAGE));
        byte[] changed =
                new String(ours.body(), StandardCharsets.ISO_8859_1)
                        .replace("destination", "source")
                        .getBytes(StandardCharsets.ISO_8859_1);

        assertEquals(401, server("require").post(ours.contentType(), changed).status());
        assertEquals(200, server("require").post(ours.contentType(), ours.body()).status());
        assertEquals("nobody trusted has issued the certificate", refusal(Tokens.curve()));
        assertEquals("nobody trusted has issued the certificate", refusal(Tokens.identity()));
    }

    @Test
    void aCertificateThatIsOverOrNamesNobodyIsRefused() throws Exception {
        KeyPair pair = rsa(2_048);

        assertEquals(
                "the signer's certificate is out of its time",
                refusal(
                        Devices.device(
                                NAME,
                                pair,
                                "SHA256withECDSA",
                                Tokens.NOW.minus(Duration.ofSeconds(1)))));
        for (String name : new String[] {"CN=7", "O=1000", "CN=7,CN=8,O=1000", "CN=7+OU=x,O=1"}) {
            assertEquals(
                    "the certificate does not have one CN and one O",
                    refusal(Devices.device(name, pair, "SHA256withECDSA")));
        }
    }

    @Test
    void weakKeysAndForgeableCertificatesAreRefused() throws Exception {
        String weak = "the signer's certificate or key is weak";

        assertEquals(weak, refusal(Devices.device(NAME, rsa(1_024), "SHA256withECDSA")));
        assertEquals(weak, refusal(Devices.device(NAME, rsa(2_048), "SHA1withECDSA")));
        assertEquals(
                200, answer(form(Devices.device(NAME, rsa(2_048), "SHA384withECDSA"))).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "accept", "require"})
    void theKeyDecidesWhichFormsAreTaken(String choice) throws Exception {
        SignedMessage signed = form(Devices.device("1000", "7")).sign(Vectors.bytes(USAGE));
        OspServerFixture server = server(choice);

        assertEquals(
                choice.equals("off") ? 415 : 200,
                server.post(signed.contentType(), signed.body()).status());
        assertEquals(
                choice.equals("require") ? 401 : 200, server.post(Vectors.body(USAGE)).status());
    }

    @Test
    void whatIsNotTwoPartsIsABadRequest() throws Exception {
        OspServerFixture server = server("accept");
        byte[] nothing = "--b\r\n\r\nx\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] headless = "--b\r\nx\r\n--b\r\ny\r\n--b--".getBytes(StandardCharsets.US_ASCII);
        byte[] empty = "--b\r\n--b\r\n--b--".getBytes(StandardCharsets.US_ASCII);

        assertEquals(400, server.post("multipart/signed", nothing).status());
        assertEquals(400, server.post("multipart/signed; boundary=b", nothing).status());
        assertEquals(400, server.post("multipart/signed; boundary=\"b\"", headless).status());
        assertEquals(400, server.post("multipart/signed; boundary=b", empty).status());
    }

    private static String refusal(SigningIdentity signer) throws Exception {
        PeerResponse answer = answer(form(signer));
        assertEquals(401, answer.status());
        return OspServerFixture.text(answer).strip().replace("Certificate invalid: ", "");
    }

    private static PeerResponse answer(SignedMessages form) throws Exception {
        SignedMessage message = form.sign(Vectors.bytes(USAGE));
        return server("require").post(message.contentType(), message.body());
    }

    private static KeyPair rsa(int bits) throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
        keys.initialize(bits);
        return keys.generateKeyPair();
    }

    private static OspServerFixture server(String choice) throws Exception {
        return new OspServerFixture(
                OspConfiguration.of(Configurations.of(OspKeys.all(), "messages.signed=" + choice)),
                OspServerFixture.demo());
    }

    private static SignedMessages form(SigningIdentity signer) {
        return Devices.form(signer, Tokens.identity());
    }
}
