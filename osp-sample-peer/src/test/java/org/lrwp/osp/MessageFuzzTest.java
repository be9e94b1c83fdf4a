package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

import org.junit.jupiter.params.provider.MethodSource;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.sdk.PeerResponse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Whatever is posted, the answer is a message of statuses or a sentence, never a failure. */
final class MessageFuzzTest {
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

    static Stream<byte[]> seeds() {
        return Stream.concat(
                Vectors.names().stream().map(Vectors::octets),
                ODD.stream().map(each -> each.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @MethodSource("seeds")
    @FuzzTest
    void anyPostIsAnswered(byte[] octets) throws Exception {
        PeerResponse response = new OspServerFixture().post(octets);

        assertTrue(List.of(200, 400, 413).contains(response.status()), "" + response.status());
        if (response.status() == 200) {
            for (Element each : new MessageReader().read(response.body()).components()) {
                assertTrue(OspServerFixture.code(each).matches("[2-5][0-9]{2}"));
                assertTrue(!OspServerFixture.code(each).equals("500"), "a fault of the server");
            }
        }
    }

    @MethodSource("seeds")
    @FuzzTest
    void anySignedPostIsAnswered(byte[] octets) throws Exception {
        Path file = Files.createTempFile("osp", ".properties");
        try {
            Files.writeString(file, "messages.signed=accept");
            OspServerFixture server =
                    new OspServerFixture(OspConfiguration.read(file), OspServerFixture.demo());
            String parts =
                    "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b\r\n\r\n"
                            + new String(octets, StandardCharsets.ISO_8859_1)
                            + "\r\n--b--\r\n";

            int status =
                    server.post(
                                    "multipart/signed; boundary=b",
                                    parts.getBytes(StandardCharsets.ISO_8859_1))
                            .status();

            assertTrue(status == 400 || status == 401, "" + status);
            assertEquals(400, server.post("multipart/signed; boundary=q", octets).status());
        } finally {
            Files.delete(file);
        }
    }
}
