package org.lrwp.runtime.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/** How values are written. */
class ValueTypesTest {
    private enum Colour {
        RED,
        DARK_BLUE
    }

    @ParameterizedTest
    @CsvSource({
        "20KB, 20000",
        "20KiB, 20480",
        "1MB, 1000000",
        "3GiB, 3221225472",
        "7, 7",
        "7B, 7",
        "unlimited, 9223372036854775807"
    })
    void aRateCountsBytesPerSecond(String text, long bytes) {
        assertEquals(bytes, ValueTypes.rate(1).parse(" " + text + " "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "20 KB", "20kb", "KB", "1.5MB", "99999999TiB", "fast"})
    void otherRatesAreRefused(String text) {
        assertFalse(ValueTypes.rate(1).allows(text));
    }

    @Test
    void timesHaveUnitsAndARange() {
        ValueType<Duration> type = ValueTypes.duration(Duration.ZERO, Duration.ofHours(2));
        assertEquals(Duration.ofMillis(250), type.parse("250ms"));
        assertEquals(Duration.ofMinutes(90), type.parse("90m"));
        assertEquals(Duration.ZERO, type.parse("0"));
        assertEquals("a time as 250ms, 10s, 5m, 1h or 1d, 0 to 2h", type.allowed());
        for (String text : List.of("5", "3h", "-1s", "s", "1w", "")) {
            assertFalse(type.allows(text), text);
        }
    }

    @Test
    void numbersChoicesSwitchesAndNetworksAreStrict() {
        assertEquals(7, ValueTypes.count(1, 7).parse("7"));
        assertFalse(ValueTypes.count(1, 7).allows("8"));
        assertFalse(ValueTypes.count(1, 7).allows("+7"));
        assertEquals(0.5, ValueTypes.decimal(0, 1).parse("0.5"));
        assertFalse(ValueTypes.decimal(0, 1).allows("1e-1"));
        assertEquals(Colour.DARK_BLUE, ValueTypes.choice(Colour.class).parse("dark-blue"));
        assertFalse(ValueTypes.choice(Colour.class).allows("DARK_BLUE"));
        assertEquals(true, ValueTypes.SWITCH.parse("true"));
        assertFalse(ValueTypes.SWITCH.allows("yes"));
        assertEquals(2, ValueTypes.NETWORKS.parse("10.0.0.0/8, ::1").size());
        assertFalse(ValueTypes.NETWORKS.allows("localhost"));
        assertEquals(List.of("a", "b"), ValueTypes.LIST.parse(" a, ,b"));
        assertFalse(ValueTypes.PATH.allows(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Rate", "rate_a", "a..b", "*", "class.*", "a.*.b.*.c", ".a"})
    void keysHaveNamesInKebabCaseWithAtMostOneStarInside(String name) {
        assertThrows(IllegalArgumentException.class, () -> Key.live(name, ValueTypes.TEXT, "", ""));
    }
}
