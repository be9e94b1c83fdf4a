package org.lrwp.protocol.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.util.HexFormat;

class FramesTest {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    private static String hex(byte[] bytes) {
        return HEX.formatHex(bytes);
    }

    private static ByteBuffer buffer(String hex) {
        return ByteBuffer.wrap(HEX.parseHex(hex));
    }

    private static ByteBuffer payload(byte[] frame) {
        return ByteBuffer.wrap(frame).position(FrameHead.SIZE).slice();
    }

    @Test
    void numbersOfTheTypesAreThoseOfTheWire() {
        int code = 1;
        for (FrameType type : FrameType.values()) {
            assertEquals(code, type.code());
            assertEquals(type, FrameType.of(code));
            code++;
        }
        assertEquals(17, code);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 17, 255, -1})
    void numberOfNoTypeIsNotKnown(int code) {
        assertNull(FrameType.of(code));
    }

    @Test
    void headIsLengthTypeFlagsAndStream() {
        assertEquals(
                "00 01 02 03 07 01 00 00 80 00 00 02",
                hex(FrameHead.of(FrameType.DATA, true, 0x8000_0002, 0x10203)));
    }

    @ParameterizedTest
    @EnumSource(FrameType.class)
    void onlyFramesWithABodyEndAStream(FrameType type) {
        if (type.mayEnd()) {
            assertEquals(1, FrameHead.of(type, true, 1, 0)[5]);
        } else {
            assertThrows(IllegalArgumentException.class, () -> FrameHead.of(type, true, 1, 0));
        }
        assertEquals(0, FrameHead.of(type, false, 1, 0)[5]);
    }

    @Test
    void lengthBelowNoneIsAMistakeOfTheCaller() {
        assertThrows(
                IllegalArgumentException.class, () -> FrameHead.of(FrameType.DATA, false, 1, -1));
    }

    @Test
    void smallFramesAreWrittenWhole() throws Exception {
        assertEquals("00 00 00 00 08 00 00 00 00 00 00 07", hex(Frames.started(7)));
        assertEquals("00 00 00 00 0d 00 00 00 00 00 00 00", hex(Frames.drain()));
        assertEquals(
                "00 00 00 04 0b 00 00 00 00 00 00 07 ff ff ff ff",
                hex(Frames.window(7, 4_294_967_295L)));
        assertEquals("00 00 00 04 0c 00 00 00 00 00 00 00 00 00 01 00", hex(Frames.capacity(256)));
        assertEquals(
                "00 00 00 08 0e 00 00 00 00 00 00 00 80 00 00 00 00 00 00 01",
                hex(Frames.ping(Long.MIN_VALUE + 1)));
        assertEquals(
                "00 00 00 08 0f 00 00 00 00 00 00 00 01 02 03 04 05 06 07 08",
                hex(Frames.pong(buffer("01 02 03 04 05 06 07 08"))));
        assertEquals(
                "00 00 00 02 09 00 00 00 00 00 00 07 6e 6f",
                hex(Frames.text(FrameType.REFUSED, 7, "no")));
        assertEquals(
                "00 00 00 03 02 00 00 00 00 00 00 00 61 ff ff",
                hex(Frames.register(FrameType.REGISTER, new ContextName("a", ""))));
        assertEquals(
                "00 00 00 04 03 00 00 00 00 00 00 00 61 ff 62 ff",
                hex(Frames.register(FrameType.UNREGISTER, new ContextName("a", "b"))));
        assertEquals(
                "00 00 00 06 04 00 00 00 00 00 00 00 61 ff 62 ff 63 ff",
                hex(Frames.registered(new ContextName("a", "b"), "c")));
    }

    @Test
    void framesOfAnotherKindAreMistakesOfTheCaller() {
        var name = new ContextName("a", "");

        assertThrows(
                IllegalArgumentException.class, () -> Frames.register(FrameType.REGISTERED, name));
        assertThrows(IllegalArgumentException.class, () -> Frames.text(FrameType.DATA, 1, "text"));
    }

    @Test
    void numbersThatDoNotFitAreMistakesOfTheCaller() {
        assertThrows(IllegalArgumentException.class, () -> Frames.window(1, -1));
        assertThrows(IllegalArgumentException.class, () -> Frames.window(1, 4_294_967_296L));
        assertThrows(IllegalArgumentException.class, () -> Frames.capacity(-1));
    }

    @Test
    void numbersAreReadWithoutSign() throws Exception {
        assertEquals(4_294_967_295L, Frames.credit(buffer("ff ff ff ff")));
        assertEquals(0, Frames.credit(buffer("00 00 00 00")));
        assertEquals(0x8000_0001L, Frames.capacity(buffer("80 00 00 01")));
        assertEquals(-2, Frames.opaque(buffer("ff ff ff ff ff ff ff fe")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 5, 8})
    void windowAndCapacityOfAnotherLengthAreMalformed(int length) {
        var credit =
                assertThrows(
                        MalformedFrameException.class,
                        () -> Frames.credit(ByteBuffer.allocate(length)));
        var capacity =
                assertThrows(
                        MalformedFrameException.class,
                        () -> Frames.capacity(ByteBuffer.allocate(length)));

        assertEquals("WINDOW has 4 bytes, not " + length, credit.getMessage());
        assertEquals("CAPACITY has 4 bytes, not " + length, capacity.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 7, 9, 16})
    void pingOfAnotherLengthIsMalformed(int length) {
        var thrown =
                assertThrows(
                        MalformedFrameException.class,
                        () -> Frames.opaque(ByteBuffer.allocate(length)));
        assertThrows(MalformedFrameException.class, () -> Frames.pong(ByteBuffer.allocate(length)));

        assertEquals("PING and PONG have 8 bytes, not " + length, thrown.getMessage());
    }

    @Test
    void reasonIsCutAndItsCharactersBecomeBytes() {
        byte[] frame = Frames.text(FrameType.CANCEL, 1, "\u20ac\u00e9" + "x".repeat(2_000));

        String text = Frames.text(payload(frame));

        assertEquals(FrameHead.SIZE + 1_000, frame.length);
        assertEquals("?\u00e9" + "x".repeat(998), text);
    }

    @Test
    void reasonThatIsTooLongIsCutByItsReader() {
        ByteBuffer payload = ByteBuffer.allocate(60_000);

        assertEquals(1_000, Frames.text(payload).length());
        assertEquals(0, payload.remaining());
        assertEquals("", Frames.text(payload));
    }
}
