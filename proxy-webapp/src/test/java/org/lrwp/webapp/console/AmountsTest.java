package org.lrwp.webapp.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class AmountsTest {
    @Test
    void numbersHaveTheirThousandsApart() {
        assertEquals("0", Amounts.count(0));
        assertEquals("1,234,567", Amounts.count(1_234_567));
        assertEquals("1 request", Amounts.count(1, "request", "requests"));
        assertEquals("2,000 requests", Amounts.count(2000, "request", "requests"));
    }

    @Test
    void bytesHaveTheUnitThatReadsWell() {
        assertEquals("1,023 bytes", Amounts.bytes(1023));
        assertEquals("1.0 KiB", Amounts.bytes(1024));
        assertEquals("45.9 MiB", Amounts.bytes(48_123_456));
        assertEquals("2048.0 TiB", Amounts.bytes(1L << 51));
    }

    @Test
    void timesHaveADigitBehindThePointOnlyWhereItSaysSomething() {
        assertEquals("0 ms", Amounts.millis(0));
        assertEquals("0.3 ms", Amounts.millis(0.25));
        assertEquals("17 ms", Amounts.millis(17.4));
        assertEquals("2.0 s", Amounts.millis(2004));
    }

    @Test
    void agesAreInTheLargestUnitThatIsExactEnough() {
        assertEquals("999 ms", Amounts.age(Duration.ofMillis(999)));
        assertEquals("119 s", Amounts.age(Duration.ofSeconds(119)));
        assertEquals("119 min", Amounts.age(Duration.ofMinutes(119)));
        assertEquals("47 h", Amounts.age(Duration.ofHours(47)));
        assertEquals("2 d", Amounts.age(Duration.ofHours(49)));
    }
}
