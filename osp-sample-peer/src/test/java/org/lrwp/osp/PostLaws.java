package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.testkit.Devices;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.TokenVerifier;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.sdk.PeerResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What holds for any bytes that a stranger posts, and bytes to begin with. */
enum PostLaws {
    /** A message is answered with a message of statuses, or a sentence. */
    MESSAGE {
        @Override
        void check(byte[] bytes) throws IOException, MalformedMessageException {
            PeerResponse response = SERVER.post(bytes);

            assertTrue(List.of(200, 400, 413).contains(response.status()), "" + response.status());
            if (response.status() == 200) {
                for (Element each : new MessageReader().read(response.body()).components()) {
                    assertTrue(OspServerFixture.code(each).matches("[2-5][0-9]{2}"));
                    assertFalse(OspServerFixture.code(each).equals("500"), "a fault of the server");
                }
            }
        }
    },
    /** A signed message that nobody trusted has signed is refused. */
    SIGNED {
        @Override
        void check(byte[] bytes) throws IOException {
            String parts =
                    "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b\r\n\r\n"
                            + new String(bytes, StandardCharsets.ISO_8859_1)
                            + "\r\n--b--\r\n";

            requireRefused("b", parts.getBytes(StandardCharsets.ISO_8859_1));
            requireRefused("q", bytes);
        }

        private void requireRefused(String boundary, byte[] bytes) throws IOException {
            int status = SERVER.post("multipart/signed; boundary=" + boundary, bytes).status();

            assertTrue(status == 400 || status == 401, "" + status);
        }
    },
    /** A token that nobody trusted has signed is refused. */
    TOKEN {
        @Override
        void check(byte[] bytes) {
            try {
                VERIFIER.verified(bytes, Tokens.NOW);
            } catch (RefusedException refused) {
                return;
            }
            throw new AssertionError("a stranger's token counts");
        }
    };

    private static final Keys KEYS = new Keys(KeyRing.of(Tokens.curve(), List.of()));
    private static final TokenVerifier VERIFIER =
            new TokenVerifier(KEYS, Devices.noneRevoked(), false);
    private static final OspServerFixture SERVER = server();

    /** XML that parsers have stumbled over. */
    private static final List<String> ODD =
            List.of(
                    "",
                    "<",
                    "<Message",
                    "<Message><A></B></Message>",
                    "<Message><A b='1' b='2'/></Message>",
                    "<Message><![CDATA[",
                    "<Message><A>&#0;</A></Message>",
                    "<Message><A>&#x110000;</A></Message>",
                    "<Message><A>&lol;</A></Message>",
                    "<Message><A>x&apos2Eric y</A></Message>",
                    "<Message><A>x&#xD800;</A></Message>",
                    "<!DOCTYPE Message [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]>"
                            + "<Message><A>&b;</A></Message>",
                    "<!DOCTYPE Message SYSTEM 'file:///etc/passwd'><Message><A/></Message>",
                    "<!DOCTYPE Message [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/'> %p;]><Message/>",
                    "<?xml version='1.0' encoding='UTF-16'?><Message><A/></Message>",
                    "<?xml version='2.0'?><Message><A/></Message>",
                    "<Message xmlns:x='y'><x:A/></Message>",
                    "<Message><UsageIndication><UsageDetail><Amount>1e999999999</Amount>"
                            + "</UsageDetail></UsageIndication></Message>",
                    "<Message><AuthorizationRequest/><ReauthorizationRequest/></Message>",
                    "<Message><AuthorizationIndication><Token>MIIB</Token>"
                            + "</AuthorizationIndication></Message>",
                    "\u0000\u0000\u0000<Message/>");

    abstract void check(byte[] bytes) throws IOException, MalformedMessageException;

    static Stream<byte[]> seeds() {
        return Stream.concat(
                Vectors.names().stream().map(Vectors::bytes),
                ODD.stream().map(each -> each.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static OspServerFixture server() {
        try {
            Path file = Files.createTempFile("osp", ".properties");
            try {
                Files.writeString(file, "messages.signed=accept");
                return new OspServerFixture(
                        OspConfiguration.read(file), OspServerFixture.demo(), KEYS);
            } finally {
                Files.delete(file);
            }
        } catch (IOException | BadConfigurationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
