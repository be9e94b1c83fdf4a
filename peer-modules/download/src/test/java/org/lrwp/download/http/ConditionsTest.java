package org.lrwp.download.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.testkit.Head;

import java.time.Instant;
import java.util.List;

class ConditionsTest {
    private static final Instant MODIFIED = Instant.parse("1994-11-06T08:49:37.5Z");
    private static final String SAME = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";

    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    private static Conditions conditions(String headers) {
        return conditions(headers, NOW);
    }

    private static Conditions conditions(String headers, Instant now) {
        Head head = Head.get("/x");
        for (String header : List.of(headers.split(";", -1))) {
            int equals = header.indexOf('=');
            String value =
                    header.substring(equals + 1)
                            .strip()
                            .replace("SAME", SAME)
                            .replace("BEFORE", BEFORE)
                            .replace("AFTER", AFTER);
            head.with(header.substring(0, equals).strip(), value);
        }
        return new Conditions(head, "\"a\"", MODIFIED, now);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "If-None-Match = \"a\"            | NOT_MODIFIED",
                "If-None-Match = \"b\"            | SEND",
                "If-None-Match = \"b\", W/\"a\"   | NOT_MODIFIED",
                "If-None-Match = *                | NOT_MODIFIED",
                "If-None-Match = a                | SEND",
                "If-Modified-Since = SAME         | NOT_MODIFIED",
                "If-Modified-Since = AFTER        | NOT_MODIFIED",
                "If-Modified-Since = BEFORE       | SEND",
                "If-Modified-Since = yesterday    | SEND",
                "If-Modified-Since = Sunday, 06-Nov-94 08:49:37 GMT | NOT_MODIFIED",
                "If-Modified-Since = Sunday, 06-Nov-94 08:49:36 GMT | SEND",
                "If-Modified-Since = Monday, 23-Nov-26 11:59:59 GMT | NOT_MODIFIED",
                "If-Modified-Since = Sun Nov  6 08:49:37 1994 | NOT_MODIFIED",
                "If-None-Match = \"b\"; If-Modified-Since = SAME | SEND",
                "If-Match = \"a\"                 | SEND",
                "If-Match = \"b\"                 | FAILED",
                "If-Match = W/\"a\"               | FAILED",
                "If-Match = *                     | SEND",
                "If-Match = \"a\"; If-None-Match = \"a\" | NOT_MODIFIED",
                "If-Unmodified-Since = BEFORE     | FAILED",
                "If-Unmodified-Since = SAME       | SEND",
                "If-Unmodified-Since = never      | SEND",
                "If-Match = \"a\"; If-Unmodified-Since = BEFORE | SEND",
            })
    void areJudgedInTheOrderOfTheStandard(String headers, Conditions.Outcome expected) {
        assertEquals(expected, conditions(headers).outcome());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "If-Range = \"a\"   | true",
                "If-Range = \"b\"   | false",
                "If-Range = W/\"a\" | false",
                "If-Range = SAME    | true",
                "If-Range = AFTER   | false",
                "If-Range = x       | false",
                "Range = bytes      | true",
            })
    void rangeCountsOnlyForTheSameFile(String headers, boolean expected) {
        assertEquals(expected, conditions(headers).rangeCounts());
    }

    @Test
    void timeInTheFutureIsNotToldAndProvesNothing() {
        Instant earlier = MODIFIED.minusSeconds(100);

        assertEquals(earlier, conditions("Range = bytes", earlier).lastModified());
        assertEquals(MODIFIED, conditions("Range = bytes", NOW).lastModified());
        for (String date : List.of("BEFORE", "SAME", "AFTER")) {
            assertEquals(
                    Conditions.Outcome.SEND,
                    conditions("If-Modified-Since = " + date, earlier).outcome());
            assertEquals(
                    Conditions.Outcome.FAILED,
                    conditions("If-Unmodified-Since = " + date, earlier).outcome());
            assertFalse(conditions("If-Range = " + date, earlier).rangeCounts());
        }
    }

    @Test
    void dateIsWeakInItsOwnSecond() {
        assertFalse(conditions("If-Range = SAME", MODIFIED.plusMillis(100)).rangeCounts());
        assertTrue(conditions("If-Range = SAME", MODIFIED.plusSeconds(1)).rangeCounts());
    }
}
