package org.lrwp.events.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdTest {
    @Test
    void isReadAsItIsWritten() {
        EventId id = new EventId(1_763_734_678_123L, 42);

        assertEquals(id, EventId.parse(id.toString()));
        assertEquals("1763734678123.42", id.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "7.",
                ".7",
                "7.-1",
                "7.1.2",
                "7,1",
                "7.1 ",
                "1234567890123456789.1"
            })
    void whatIsNoneIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> EventId.parse(text));
    }

    @Test
    void refusalShowsNoControlsAndIsShort() {
        var refusal =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> EventId.parse("\r\n\u00e4" + "x".repeat(1000)));

        assertTrue(String.valueOf(refusal.getMessage()).matches("[ -~]{10,120}"));
    }

    @Test
    void numbersAreNotNegative() {
        assertThrows(IllegalArgumentException.class, () -> new EventId(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> new EventId(0, -1));
    }
}
