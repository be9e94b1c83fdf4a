package org.lrwp.protocol.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.protocol.MalformedFrameException;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class FrameParserTest {
    private static final int MAX_FRAME = 65_536;
    private static final List<FrameType> TYPES = List.of(FrameType.values());

    private final FrameParser parser = new FrameParser(MAX_FRAME);

    /** A frame as it was written, and as it was read. */
    private record Frame(FrameType type, boolean end, int stream, String payload) {
        byte[] bytes() {
            byte[] text = payload.getBytes(StandardCharsets.ISO_8859_1);
            byte[] head = FrameHead.of(type, end, stream, text.length);
            byte[] frame = Arrays.copyOf(head, head.length + text.length);
            System.arraycopy(text, 0, frame, head.length, text.length);
            return frame;
        }

        static Frame of(FrameParser parser) {
            String text = StandardCharsets.ISO_8859_1.decode(parser.payload()).toString();
            return new Frame(parser.type(), parser.end(), parser.stream(), text);
        }
    }

    private static byte[] raw(int length, int type, int flags, int reserved, int stream) {
        return ByteBuffer.allocate(FrameHead.SIZE)
                .putInt(length)
                .put((byte) type)
                .put((byte) flags)
                .putShort((short) reserved)
                .putInt(stream)
                .array();
    }

    private static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Reads all pieces, one after the other. */
    private static List<Frame> read(FrameParser parser, List<ByteBuffer> pieces)
            throws MalformedFrameException {
        List<Frame> frames = new ArrayList<>();
        for (ByteBuffer piece : pieces) {
            while (parser.next(piece)) {
                frames.add(Frame.of(parser));
            }
            assertEquals(0, piece.remaining());
        }
        return frames;
    }

    @Test
    void anyFramesAreReadAsTheyWereWrittenAtEverySplit() throws Exception {
        var random = new Random(3_000);
        for (int round = 0; round < 40; round++) {
            List<Frame> frames = randomFrames(random, 60);
            byte[] bytes = join(frames.stream().map(Frame::bytes).toArray(byte[][]::new));

            for (int cut = 0; cut <= bytes.length; cut++) {
                var split = new FrameParser(MAX_FRAME);
                List<ByteBuffer> pieces =
                        List.of(
                                ByteBuffer.wrap(bytes, 0, cut),
                                ByteBuffer.wrap(bytes, cut, bytes.length - cut).slice());
                assertEquals(frames, read(split, pieces));
                assertFalse(split.isInsideFrame());
            }
        }
    }

    @Test
    void longFramesAreReadAsTheyWereWrittenHoweverTheyAreCut() throws Exception {
        var random = new Random(3_001);
        for (int round = 0; round < 60; round++) {
            List<Frame> frames = randomFrames(random, MAX_FRAME);
            byte[] bytes = join(frames.stream().map(Frame::bytes).toArray(byte[][]::new));
            List<ByteBuffer> pieces = new ArrayList<>();
            int start = 0;
            while (start < bytes.length) {
                int most = random.nextInt(5) == 0 ? 100_000 : 5_000;
                int end = Math.min(bytes.length, start + random.nextInt(most));
                pieces.add(ByteBuffer.wrap(bytes, start, end - start));
                start = end;
            }

            assertEquals(frames, read(parser, pieces));
        }
    }

    private static List<Frame> randomFrames(Random random, int longest) {
        List<Frame> frames = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            FrameType type = TYPES.get(random.nextInt(TYPES.size()));
            boolean end = type.mayEnd() && random.nextBoolean();
            byte[] payload = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(longest + 1)];
            random.nextBytes(payload);
            String text = new String(payload, StandardCharsets.ISO_8859_1);
            frames.add(new Frame(type, end, random.nextInt(), text));
        }
        return frames;
    }

    @Test
    void byteByByteTheFrameComesWithItsLastByteAndIsInsideUntilThen() throws Exception {
        byte[] bytes = new Frame(FrameType.DATA, true, 7, "abc").bytes();

        assertFalse(parser.isInsideFrame());
        for (int i = 0; i < bytes.length - 1; i++) {
            assertFalse(parser.next(ByteBuffer.wrap(bytes, i, 1)));
            assertTrue(parser.isInsideFrame());
        }
        assertTrue(parser.next(ByteBuffer.wrap(bytes, bytes.length - 1, 1)));
        assertFalse(parser.isInsideFrame());
        assertEquals(new Frame(FrameType.DATA, true, 7, "abc"), Frame.of(parser));
    }

    @Test
    void frameWithoutPayloadIsThereWithItsHead() throws Exception {
        assertTrue(parser.next(ByteBuffer.wrap(Frames.drain())));
        assertEquals(new Frame(FrameType.DRAIN, false, 0, ""), Frame.of(parser));

        byte[] cut = Frames.started(-1);
        assertFalse(parser.next(ByteBuffer.wrap(cut, 0, 11)));
        assertTrue(parser.next(ByteBuffer.wrap(cut, 11, 1)));
        assertEquals(new Frame(FrameType.STARTED, false, -1, ""), Frame.of(parser));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 17, 99, 255})
    void unknownTypesAreSkippedOnAnyStreamAtEverySplit(int type) throws Exception {
        byte[] unknown = join(raw(5, type, 0xFF, 0xFFFF, 0xFFFF_FFFF), new byte[5]);
        byte[] bytes = join(unknown, Frames.drain(), unknown, raw(0, type, 0, 0, 3));

        for (int cut = 0; cut <= bytes.length; cut++) {
            List<ByteBuffer> pieces =
                    List.of(
                            ByteBuffer.wrap(bytes, 0, cut),
                            ByteBuffer.wrap(bytes, cut, bytes.length - cut));
            assertEquals(
                    List.of(new Frame(FrameType.DRAIN, false, 0, "")),
                    read(new FrameParser(MAX_FRAME), pieces));
        }
    }

    @Test
    void inputThatEndsWithinAnUnknownFrameEndsInside() throws Exception {
        assertFalse(parser.next(ByteBuffer.wrap(join(raw(5, 99, 0, 0, 0), new byte[4]))));
        assertTrue(parser.isInsideFrame());
        assertFalse(parser.next(ByteBuffer.allocate(1)));
        assertFalse(parser.isInsideFrame());
    }

    @ParameterizedTest
    @EnumSource(FrameType.class)
    void onlyTheEndFlagCountsAndOnlyWhereThereIsABody(FrameType type) throws Exception {
        byte[] all = raw(0, type.code(), 0xFF, 0xABCD, 1);
        byte[] others = raw(0, type.code(), 0xFE, 0xABCD, 1);

        assertTrue(parser.next(ByteBuffer.wrap(all)));
        assertEquals(type.mayEnd(), parser.end());
        assertEquals(type, parser.type());
        assertTrue(parser.next(ByteBuffer.wrap(others)));
        assertFalse(parser.end());
    }

    @Test
    void frameOfTheGreatestLengthIsReadAndOneByteMoreIsNot() throws Exception {
        var small = new FrameParser(10);

        assertTrue(small.next(ByteBuffer.wrap(join(raw(10, 7, 0, 0, 1), new byte[10]))));
        var thrown =
                assertThrows(
                        MalformedFrameException.class,
                        () -> small.next(ByteBuffer.wrap(raw(11, 7, 0, 0, 1))));
        assertEquals("frame of 11 bytes, max-frame is 10", thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX_FRAME + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void longFrameIsMalformedBeforeItsPayloadAlsoWhenItsTypeIsUnknown(int length) {
        for (int type : List.of(7, 99)) {
            assertThrows(
                    MalformedFrameException.class,
                    () ->
                            new FrameParser(MAX_FRAME)
                                    .next(ByteBuffer.wrap(raw(length, type, 0, 0, 1))));
            assertThrows(
                    MalformedFrameException.class,
                    () -> {
                        var cut = new FrameParser(MAX_FRAME);
                        for (byte value : raw(length, type, 0, 0, 1)) {
                            cut.next(ByteBuffer.wrap(new byte[] {value}));
                        }
                    });
        }
    }

    @Test
    void frameThatLiesWholeIsAViewAndWhatFollowsStaysInTheBuffer() throws Exception {
        byte[] bytes = join(new Frame(FrameType.DATA, false, 1, "abc").bytes(), new byte[2]);
        ByteBuffer in = ByteBuffer.wrap(bytes);

        assertTrue(parser.next(in));
        assertEquals(2, in.remaining());
        bytes[FrameHead.SIZE] = 'z';
        assertEquals("zbc", Frame.of(parser).payload());
    }

    @Test
    void payloadIsAViewOfTheBufferInUse() throws Exception {
        ByteBuffer one = ByteBuffer.wrap(new Frame(FrameType.DATA, false, 1, "one").bytes());
        ByteBuffer two = ByteBuffer.wrap(new Frame(FrameType.DATA, false, 1, "two").bytes());

        assertTrue(parser.next(one));
        assertEquals("one", Frame.of(parser).payload());
        assertTrue(parser.next(two));
        assertEquals("two", Frame.of(parser).payload());
        assertTrue(parser.next(one.rewind()));
        assertEquals("one", Frame.of(parser).payload());
    }

    @Test
    void directBufferIsReadToo() throws Exception {
        byte[] bytes = new Frame(FrameType.DATA, false, 1, "abc").bytes();
        ByteBuffer in = ByteBuffer.allocateDirect(100).put(bytes).flip();

        assertTrue(parser.next(in));
        assertEquals("abc", Frame.of(parser).payload());
    }

    @Test
    void frameThatLiesWholeTakesNoMemory() throws Exception {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ByteBuffer in = ByteBuffer.wrap(new Frame(FrameType.DATA, false, 1, "abc").bytes());
        long least = Long.MAX_VALUE;
        long total = 0;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1_000; i++) {
                in.rewind();
                parser.next(in);
                total += parser.payload().remaining();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertEquals(60_000, total);
        assertTrue(least < 1_000, least + " bytes of memory for 1,000 frames");
    }

    @Test
    void memoryGrowsWithWhatHasArrivedOnly() throws Exception {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var large = new FrameParser(Integer.MAX_VALUE);
        byte[] head = raw(2_000_000_000, 7, 0, 0, 1);
        ByteBuffer piece = ByteBuffer.allocate(10_000);
        long before = threads.getCurrentThreadAllocatedBytes();

        assertFalse(large.next(ByteBuffer.wrap(head)));
        for (int i = 0; i < 100; i++) {
            assertFalse(large.next(piece.rewind()));
        }

        long taken = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(taken < 8_000_000, taken + " bytes of memory for 1,000,000");
        assertTrue(large.isInsideFrame());
    }

    @Test
    void memoryOfALongFrameIsNotKept() throws Exception {
        byte[] bytes = new Frame(FrameType.DATA, false, 1, "x".repeat(MAX_FRAME)).bytes();
        assertFalse(parser.next(ByteBuffer.wrap(bytes, 0, 50_000)));
        assertTrue(parser.next(ByteBuffer.wrap(bytes, 50_000, bytes.length - 50_000)));
        ByteBuffer first = parser.payload();

        assertFalse(parser.next(ByteBuffer.allocate(0)));
        assertFalse(parser.next(ByteBuffer.wrap(bytes, 0, 20)));
        assertTrue(parser.next(ByteBuffer.wrap(bytes, 20, bytes.length - 20)));

        assertEquals(MAX_FRAME, parser.payload().remaining());
        assertNotSame(memory(first), memory(parser.payload()));
    }

    @Test
    void memoryOfAShortFrameIsUsedAgain() throws Exception {
        byte[] bytes = new Frame(FrameType.DATA, false, 1, "abc").bytes();
        assertFalse(parser.next(ByteBuffer.wrap(bytes, 0, 13)));
        assertTrue(parser.next(ByteBuffer.wrap(bytes, 13, 2)));
        ByteBuffer first = parser.payload();

        assertFalse(parser.next(ByteBuffer.wrap(bytes, 0, 13)));
        assertTrue(parser.next(ByteBuffer.wrap(bytes, 13, 2)));

        assertSame(memory(first), memory(parser.payload()));
    }

    private static byte[] memory(ByteBuffer payload) {
        assertEquals(0, payload.arrayOffset());
        return payload.array();
    }

    @Test
    void limitBelowOneIsAMistakeOfTheCaller() {
        assertThrows(IllegalArgumentException.class, () -> new FrameParser(0));
    }
}
