package org.lrwp.download.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.stream.Collectors;

class RangeHeaderTest {
    private static String text(RangeHeader.Wanted wanted) {
        return switch (wanted) {
            case RangeHeader.Whole() -> "whole";
            case RangeHeader.Nothing() -> "nothing";
            case RangeHeader.Parts(var ranges) ->
                    ranges.stream()
                            .map(range -> range.first() + "+" + range.length())
                            .collect(Collectors.joining(" "));
        };
    }

    /** RFC 9110 section 14.1.2, with a file of 10,000 bytes as in its examples. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-499            | 0+500",
                "bytes=500-999          | 500+500",
                "bytes=-500             | 9500+500",
                "bytes=9500-            | 9500+500",
                "bytes=0-0,-1           | 0+1 9999+1",
                "bytes= 0-999, 4500-5499, -1000 | 0+1000 4500+1000 9000+1000",
                "BYTES=0-0              | 0+1",
                "bytes=0-99999          | 0+10000",
                "bytes=-99999           | 0+10000",
                "bytes=9999-            | 9999+1",
                "bytes=10000-           | nothing",
                "bytes=-0               | nothing",
                "bytes=10000-,0-1       | 0+2",
                "bytes=5-4              | whole",
                "bytes=a-b              | whole",
                "bytes=-                | whole",
                "bytes=                 | whole",
                "bytes=0-1,,2-3         | whole",
                "lines=0-1              | whole",
                "bytes=0-9999,0-9999    | whole",
                "bytes=99999999999999999999- | nothing",
                "bytes=0-99999999999999999999 | 0+10000",
                "bytes=0-0,1-1,2-2,3-3,4-4 | whole",
            })
    void isReadAsTheStandardSays(String header, String expected) {
        assertEquals(expected, text(RangeHeader.parse(header, 10_000, 4)));
    }

    @Test
    void noRangeOfAnEmptyFileCanBeSent() {
        assertEquals("nothing", text(RangeHeader.parse("bytes=0-0", 0, 4)));
    }

    @Test
    void rangesBeyondFourGigabytesAreExact() {
        assertEquals(
                "5000000000+10",
                text(RangeHeader.parse("bytes=5000000000-5000000009", 6_000_000_000L, 4)));
    }
}
