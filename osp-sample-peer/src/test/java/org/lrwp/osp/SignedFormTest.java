package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.secure.SignedMessages.SignedMessage;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.osp.token.CryptoProvider;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.SigningIdentity;
import org.lrwp.osp.token.TokenVerifier;
import org.lrwp.sdk.PeerResponse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Messages as multipart/signed. */
final class SignedFormTest {
    private static final String USAGE = "deb413-call/002-UsageIndication";

    @TempDir Path folder = Path.of("");

    @Test
    void aSignedMessageIsAnsweredInTheSignedForm() throws Exception {
        SignedMessages form = form(Tokens.identity());
        SignedMessage question = form.sign(Vectors.octets(USAGE));

        PeerResponse answer = server("accept").post(question.contentType(), question.body());

        assertEquals(200, answer.status());
        String contentType = answer.headers().getFirst().value();
        assertTrue(contentType.startsWith("multipart/signed; "), contentType);
        assertEquals(
                "UsageConfirmation",
                new MessageReader()
                        .read(form.open(contentType, answer.body()))
                        .components()
                        .getFirst()
                        .name());
    }

    @Test
    void aMessageThatWasChangedOrSignedByAStrangerIsRefused() throws Exception {
        SignedMessage ours = form(Tokens.identity()).sign(Vectors.octets(USAGE));
        SignedMessage strangers = form(Tokens.curve()).sign(Vectors.octets(USAGE));
        byte[] changed =
                new String(ours.body(), StandardCharsets.ISO_8859_1)
                        .replace("destination", "source")
                        .getBytes(StandardCharsets.ISO_8859_1);

        assertEquals(401, server("require").post(ours.contentType(), changed).status());
        assertEquals(
                401, server("require").post(strangers.contentType(), strangers.body()).status());
        assertEquals(200, server("require").post(ours.contentType(), ours.body()).status());
    }

    @Test
    void theKeyDecidesWhichFormsAreTaken() throws Exception {
        SignedMessage signed = form(Tokens.identity()).sign(Vectors.octets(USAGE));

        assertEquals(415, server("off").post(signed.contentType(), signed.body()).status());
        assertEquals(401, server("require").post(Vectors.body(USAGE)).status());
        assertEquals(200, server("accept").post(Vectors.body(USAGE)).status());
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

    private OspServerFixture server(String choice) throws Exception {
        Path file = Files.writeString(folder.resolve("osp"), "messages.signed=" + choice);
        return new OspServerFixture(OspConfiguration.read(file), OspServerFixture.demo());
    }

    private static SignedMessages form(SigningIdentity identity) {
        Keys keys = new Keys(KeyRing.of(identity, List.of()));
        return new SignedMessages(
                keys,
                new TokenVerifier(keys, false),
                CryptoProvider.JDK.provider(),
                Tokens.CLOCK,
                new Random(1));
    }
}
