package org.lrwp.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

class LineTimeTest {
    private static String text(LineTime form, String time) {
        var line = new StringBuilder("time=");
        form.append(Instant.parse(time), line);
        return line.toString();
    }

    @Test
    void fractionHasAllItsDigitsAndNoMore() {
        var micros = new LineTime(ZoneOffset.UTC, "X", 6);

        assertEquals("time=2026-01-02T03:04:05.000000Z", text(micros, "2026-01-02T03:04:05Z"));
        assertEquals(
                "time=2026-01-02T03:04:05.000042Z", text(micros, "2026-01-02T03:04:05.000042999Z"));
        var seconds = new LineTime(ZoneOffset.UTC, "X", 0);
        assertEquals("time=2026-01-02T03:04:05Z", text(seconds, "2026-01-02T03:04:05.9Z"));
        var nanos = new LineTime(ZoneOffset.UTC, "X", 9);
        assertEquals("time=2026-01-02T03:04:05.900000000Z", text(nanos, "2026-01-02T03:04:05.9Z"));
    }

    @Test
    void everySecondHasItsOwnDateAndOffset() {
        var berlin = new LineTime(ZoneId.of("Europe/Berlin"), "xx", 3);

        assertEquals("time=2026-10-25T02:59:59.999+0200", text(berlin, "2026-10-25T00:59:59.999Z"));
        assertEquals("time=2026-10-25T02:00:00.000+0100", text(berlin, "2026-10-25T01:00:00Z"));
        assertEquals("time=2026-10-25T02:59:59.001+0200", text(berlin, "2026-10-25T00:59:59.001Z"));
    }

    @Test
    void aSecondHasNoTenthDigit() {
        assertThrows(IllegalArgumentException.class, () -> new LineTime(ZoneOffset.UTC, "X", 10));
        assertThrows(IllegalArgumentException.class, () -> new LineTime(ZoneOffset.UTC, "X", -1));
    }
}
