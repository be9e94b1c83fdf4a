package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;

class LengthFieldTest {
    private final LengthField field = new LengthField();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 10, 604, 123_456_789, LengthField.MAX_VALUE})
    void lengthIsReadAsItWasWrittenHoweverItIsCut(int length) throws Exception {
        byte[] digits = LengthField.encode(length);

        for (var cut : Cuts.of(digits)) {
            boolean whole = false;
            for (ByteBuffer piece : cut) {
                whole = field.feed(piece);
            }
            assertTrue(whole);
            assertEquals(length, field.value());
            field.reset();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "       30",
                "-00000030",
                "+00000030",
                "0000003 0",
                "3\r\n",
                "00000003/",
                "00000003:",
                "\u00b2",
                "\u0000",
                "\u00ff"
            })
    void anythingButNineDigitsIsMalformed(String bytes) {
        assertThrows(MalformedFrameException.class, () -> field.feed(Cuts.buffer(bytes)));
    }

    @Test
    void bytesBehindTheNinthDigitStayInTheBuffer() throws Exception {
        ByteBuffer in = Cuts.buffer("0000000012");

        assertTrue(field.feed(in));
        assertEquals("2", Cuts.text(in));
        assertEquals(1, field.value());
    }

    @Test
    void lengthIsPartialBetweenItsFirstAndItsLastDigit() throws Exception {
        assertFalse(field.isPartial());
        assertFalse(field.feed(Cuts.buffer("0")));
        assertTrue(field.isPartial());
        assertThrows(IllegalStateException.class, field::value);
        assertTrue(field.feed(Cuts.buffer("00000000")));
        assertFalse(field.isPartial());
        field.reset();
        assertThrows(IllegalStateException.class, field::value);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE})
    void lengthThatNineDigitsCannotSayIsAMistakeOfTheCaller(long length) {
        assertThrows(IllegalArgumentException.class, () -> LengthField.encode(length));
    }
}
