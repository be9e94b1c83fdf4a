package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;

class HttpDateTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "  Sun, 06 Nov 1994 08:49:37 GMT ",
            })
    void threeFormsAreRead(String text) {
        assertEquals(Instant.parse("1994-11-06T08:49:37Z"), HttpDate.parse(text, NOW));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-11-23T12:00:00Z | Monday, 23-Nov-26 11:59:59 GMT    | 2026-11-23T11:59:59Z",
                "2026-11-23T12:00:00Z | Saturday, 01-Jan-00 00:00:00 GMT  | 2000-01-01T00:00:00Z",
                "2026-11-23T12:00:00Z | Wednesday, 01-Jan-75 00:00:00 GMT | 2075-01-01T00:00:00Z",
                "2026-11-23T12:00:00Z | Monday, 23-Nov-76 12:00:00 GMT    | 2076-11-23T12:00:00Z",
                "2026-11-23T12:00:00Z | Tuesday, 23-Nov-76 12:00:01 GMT   | 1976-11-23T12:00:01Z",
                "2026-11-23T12:00:00Z | Saturday, 01-Jan-77 00:00:00 GMT  | 1977-01-01T00:00:00Z",
                "1999-12-31T23:59:59Z | Saturday, 01-Jan-00 00:00:00 GMT  | 2000-01-01T00:00:00Z",
                "2099-06-01T00:00:00Z | Saturday, 01-Jan-01 00:00:00 GMT  | 2101-01-01T00:00:00Z",
                "2026-11-23T12:00:00Z | Thursday, 29-Feb-24 00:00:00 GMT  | 2024-02-29T00:00:00Z",
            })
    void yearOfTwoDigitsIsAtMostFiftyYearsAhead(String now, String text, String expected) {
        assertEquals(Instant.parse(expected), HttpDate.parse(text, Instant.parse(now)));
    }

    @Test
    void leapSecondIsTheNextSecond() {
        assertEquals(
                Instant.parse("2017-01-01T00:00:00Z"),
                HttpDate.parse("Sat, 31 Dec 2016 23:59:60 GMT", NOW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "0",
                "1994-11-06T08:49:37Z",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 94 08:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 08:49:37",
                "sun, 06 nov 1994 08:49:37 gmt",
                "Sun, 30 Feb 1994 08:49:37 GMT",
                "Sun, 00 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:00:00 GMT",
                "Sun, 06 Nov 1994 08:49:61 GMT",
                "Sun, 06-Nov-94 08:49:37 GMT",
                "Sunday, 06-Nov-1994 08:49:37 GMT",
                "Sun Nov 6 08:49:37 1994",
                "Sun Nov  6 08:49:37 1994 GMT",
                "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
            })
    void whatIsNoDateIsNone(String text) {
        assertNull(HttpDate.parse(text, NOW));
    }

    @Test
    void datesAreWrittenInTheFixedForm() {
        assertEquals(
                "Sun, 06 Nov 1994 08:49:37 GMT",
                HttpDate.format(Instant.parse("1994-11-06T08:49:37.9Z")));
    }
}
