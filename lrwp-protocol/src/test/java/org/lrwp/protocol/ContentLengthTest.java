package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentLengthTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "0012, 12", "999999999999999999, 999999999999999999"})
    void upToEighteenDigitsAreALength(String text, long bytes) {
        assertEquals(bytes, ContentLength.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " 1", "-1", "+1", "1.0", "0x1", "1,1", "\u0661", "/", ":"})
    void anythingElseIsUnknown(String text) {
        assertEquals(ContentLength.UNKNOWN, ContentLength.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000000000000000000", "0000000000000000000"})
    void nineteenDigitsAreUnknown(String text) {
        assertEquals(ContentLength.UNKNOWN, ContentLength.parse(text));
    }
}
