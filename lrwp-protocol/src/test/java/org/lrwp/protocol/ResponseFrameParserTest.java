package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;

class ResponseFrameParserTest {
    private final ResponseFrameParser parser = new ResponseFrameParser();

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "Content-Type: a/b\r\n\r\n\0\0\u00ff", "000000001"})
    void frameIsTakenWholeHoweverItIsCut(String output) throws Exception {
        byte[] frame = Cuts.bytes("%09d%s".formatted(output.length(), output));

        for (List<ByteBuffer> cut : Cuts.of(frame)) {
            parser.reset();
            var taken = new StringBuilder();
            for (ByteBuffer piece : cut) {
                if (parser.feedLength(piece)) {
                    taken.append(Cuts.text(parser.take(piece)));
                }
                assertEquals(0, piece.remaining());
            }
            assertTrue(parser.isComplete());
            assertEquals(0, parser.remaining());
            assertEquals(output.length(), parser.length());
            assertEquals(output, taken.toString());
        }
    }

    @Test
    void bytesBehindTheFrameStayInTheBuffer() throws Exception {
        ByteBuffer in = ByteBuffer.wrap(WireVector.load("frame-extra-bytes").fromPeer(0));

        assertTrue(parser.feedLength(in));
        assertEquals("Content-Type: text/plain\r\n\r\nok", Cuts.text(parser.take(in)));
        assertTrue(parser.isComplete());
        assertEquals("EXTRA", Cuts.text(in));
        assertEquals(0, parser.take(in).remaining());
    }

    @ParameterizedTest
    @ValueSource(strings = {"frame-len-minus", "frame-len-spacepad"})
    void recordedLengthThatIsNotNineDigitsIsMalformed(String name) {
        for (List<ByteBuffer> cut : Cuts.of(WireVector.load(name).fromPeer(0))) {
            parser.reset();
            assertThrows(
                    MalformedFrameException.class,
                    () -> {
                        for (ByteBuffer piece : cut) {
                            parser.feedLength(piece);
                        }
                    });
        }
    }

    @Test
    void nothingIsTakenBeforeTheLengthIsKnown() throws Exception {
        ByteBuffer in = Cuts.buffer("00000000");

        assertFalse(parser.feedLength(in));
        assertFalse(parser.isComplete());
        assertEquals(0, parser.take(Cuts.buffer("abc")).remaining());
        assertThrows(IllegalStateException.class, parser::length);
    }

    @Test
    void takenBytesAreAViewAndNotACopy() throws Exception {
        byte[] bytes = Cuts.bytes("000000003abc");
        ByteBuffer in = ByteBuffer.wrap(bytes);

        parser.feedLength(in);
        ByteBuffer view = parser.take(in);
        bytes[9] = 'z';

        assertEquals("zbc", Cuts.text(view));
    }

    @Test
    void parserIsReadyForTheNextFrameAfterReset() throws Exception {
        ByteBuffer in = Cuts.buffer("000000001a000000002bc");

        parser.feedLength(in);
        assertEquals("a", Cuts.text(parser.take(in)));
        parser.reset();
        assertFalse(parser.isComplete());
        parser.feedLength(in);
        assertEquals(2, parser.remaining());
        assertEquals("bc", Cuts.text(parser.take(in)));
    }
}
