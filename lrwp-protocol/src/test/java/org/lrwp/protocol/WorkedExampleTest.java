package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The examples of docs/protocol.md are what our own code says and understands. */
class WorkedExampleTest {
    private static final int HEX_COLUMNS = 47;
    private static final Pattern BLOCK =
            Pattern.compile("```hex [a-z>]+\n(.*?)```", Pattern.DOTALL);

    private final List<byte[]> said = blocks();

    private static List<byte[]> blocks() {
        try {
            String document = Files.readString(Path.of("../docs/protocol.md"));
            return BLOCK.matcher(document).results().map(WorkedExampleTest::bytes).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(MatchResult block) {
        var hex = new StringBuilder();
        block.group(1).lines().forEach(line -> hex.append(line, 0, HEX_COLUMNS));
        return HexFormat.of().parseHex(hex.toString().replace(" ", ""));
    }

    @Test
    void handshakeIsOurs() {
        var registration = new Registration(ProtocolVersion.LRWP_1, "osp", "");

        assertArrayEquals(said.get(0), registration.encode());
        assertArrayEquals(said.get(1), Acknowledgement.encode(ProtocolVersion.LRWP_1));
    }

    @Test
    void handshakeOf31IsThatOfTheVector() {
        WireVector vector = WireVector.load("lrwp3-key-ok");
        int last = said.size() - 1;

        assertArrayEquals(vector.fromPeer(0), said.get(last - 2));
        assertArrayEquals(vector.toPeer(0), said.get(last - 1));
        assertArrayEquals(vector.fromPeer(1), said.get(last));
    }

    @Test
    void requestIsReadWithItsBody() throws Exception {
        var parser = new RequestFrameParser(65_536);
        ByteBuffer in = ByteBuffer.wrap(said.get(2));

        assertTrue(parser.feed(in));
        assertEquals(
                Map.of(
                        "REQUEST_METHOD", "POST",
                        "SCRIPT_NAME", "/osp",
                        "PATH_INFO", "/a b",
                        "QUERY_STRING", "x=1",
                        "CONTENT_LENGTH", "5",
                        "HTTP_HOST", "a.test"),
                parser.environment());
        assertEquals(in.remaining(), parser.bodyLength());
        assertEquals("he\0lo", Cuts.text(in));
    }

    @Test
    void answerIsReadWithItsHead() throws Exception {
        var frame = new ResponseFrameParser();
        var head = new CgiHeadParser(65_536);
        ByteBuffer in = ByteBuffer.wrap(said.get(3));

        assertTrue(frame.feedLength(in));
        ByteBuffer output = frame.take(in);
        assertEquals(CgiHeadParser.State.HEAD, head.feed(output));
        assertTrue(frame.isComplete());
        assertEquals(0, in.remaining());
        assertEquals(200, head.head().status());
        assertEquals("text/plain", head.head().first("Content-Type"));
        assertEquals("ok\n", Cuts.text(output));
    }
}
