package org.lrwp.protocol.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.protocol.Acknowledgement;
import org.lrwp.protocol.Challenge;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The bytes of docs/protocol.md sections 12 and 16 are what our own code says and understands. */
class WorkedExampleTest {
    private static final int HEX_COLUMNS = 47;
    private static final Pattern BLOCK =
            Pattern.compile("```hex [a-z>]+\n(.*?)```", Pattern.DOTALL);
    private static final Registration OSP = new Registration(ProtocolVersion.LRWP_3, "osp", "");

    private final List<byte[]> challenge = blocks("## 12. ", "## 13. ");
    private final List<byte[]> said = blocks("## 16. ", "## 17. ");
    private final FrameParser parser = new FrameParser(PeerSettings.MIN_MAX_FRAME);

    private static List<byte[]> blocks(String from, String to) {
        try {
            String document = Files.readString(Path.of("../docs/protocol.md")) + "\0";
            int start = document.indexOf("\n" + from);
            int end = document.indexOf(to, start);
            String section = document.substring(start, end);
            return BLOCK.matcher(section).results().map(WorkedExampleTest::bytes).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(MatchResult block) {
        var hex = new StringBuilder();
        block.group(1).lines().forEach(line -> hex.append(line, 0, HEX_COLUMNS));
        return HexFormat.of().parseHex(hex.toString().replace(" ", ""));
    }

    private static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }

    @Test
    void proofOfTheSecretIsOurs() {
        byte[] frame = challenge.get(0);
        Challenge asked = Challenge.of(Arrays.copyOfRange(frame, frame.length - 32, frame.length));
        byte[] key = "funky161".getBytes(StandardCharsets.ISO_8859_1);

        assertArrayEquals(frame, asked.encode());
        assertArrayEquals(challenge.get(1), asked.proof(key, OSP));
    }

    @Test
    void handshakeAndSettingsAreOurs() throws Exception {
        var proxy = new ProxySettings("lrwp", 65_536, 65_536, 10, 1);
        ByteBuffer peer = ByteBuffer.wrap(said.get(2));

        assertArrayEquals(OSP.encode(), said.get(0));
        assertArrayEquals(
                join(Acknowledgement.encode(ProtocolVersion.LRWP_3), proxy.encode()), said.get(1));
        next(peer, FrameType.SETTINGS, 0, false);
        assertEquals(
                new PeerSettings("demo", 2, 65_536, 65_536, true, false, false),
                PeerSettings.parse(parser.payload()));
        assertEquals(0, peer.remaining());
    }

    @Test
    void requestsAreReadWithTheirBodies() throws Exception {
        ByteBuffer in = ByteBuffer.wrap(said.get(3));

        next(in, FrameType.REQUEST, 1, true);
        RequestPayload first = RequestPayload.parse(parser.payload(), 65_536);
        assertEquals(
                Map.of(
                        "REQUEST_METHOD", "POST",
                        "SCRIPT_NAME", "/osp",
                        "PATH_INFO", "/a",
                        "CONTENT_LENGTH", "5"),
                first.environment());
        assertEquals("he\0lo", text(first.body()));
        next(in, FrameType.REQUEST, 2, true);
        RequestPayload second = RequestPayload.parse(parser.payload(), 65_536);
        assertEquals("GET", second.environment().get("REQUEST_METHOD"));
        assertFalse(second.body().hasRemaining());
        assertEquals(0, in.remaining());
    }

    @Test
    void answersAreFrames() throws Exception {
        byte[] data = "data: 2\n\n".getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer whole = ByteBuffer.wrap(said.get(5));
        ByteBuffer streamed = ByteBuffer.wrap(said.get(6));

        assertArrayEquals(join(Frames.started(1), Frames.started(2)), said.get(4));
        next(whole, FrameType.RESPONSE, 2, true);
        assertEquals("Content-Type: text/plain\n\nok\n", text(parser.payload()));
        next(streamed, FrameType.RESPONSE, 1, false);
        assertEquals("Content-Type: text/event-stream\n\ndata: 1\n\n", text(parser.payload()));
        byte[] rest = new byte[streamed.remaining()];
        streamed.get(rest);
        assertArrayEquals(join(FrameHead.of(FrameType.DATA, false, 1, data.length), data), rest);
        assertArrayEquals(FrameHead.of(FrameType.DATA, true, 1, 0), said.get(7));
        assertArrayEquals(Frames.drain(), said.get(8));
        assertEquals(9, said.size());
    }

    private void next(ByteBuffer in, FrameType type, int stream, boolean end)
            throws MalformedFrameException {
        assertTrue(parser.next(in));
        assertEquals(type, parser.type());
        assertEquals(stream, parser.stream());
        assertEquals(end, parser.end());
    }
}
