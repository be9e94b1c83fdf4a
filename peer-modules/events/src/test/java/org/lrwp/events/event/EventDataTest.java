package org.lrwp.events.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class EventDataTest {
    private static EventData read(String type, String text) {
        return EventData.read(type, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({
        "application/json,JSON",
        "application/json; charset=utf-8,JSON",
        "Application/Activity+JSON,JSON",
        "text/plain,TEXT",
        "application/x-www-form-urlencoded,TEXT",
        "'',TEXT",
    })
    void mediaTypeSaysWhetherItIsJson(String type, EventData.Kind kind) {
        assertEquals(new EventData(kind, "1"), read(type, "1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|{}",
                "[]|[]",
                "null|null",
                "' true '|true",
                "false|false",
                "-0.50e+10|-0.50e+10",
                "0|0",
                "10E1|10E1",
                "' [ 1 , 2 , [ ] , { } ] '|[1,2,[],{}]",
                "{ \"a\" : \"b c\" , \"d\" : [ 1 ] }|{\"a\":\"b c\",\"d\":[1]}",
                "\"\\u00e4\\n\\\"\\\\ x\"|\"\\u00e4\\n\\\"\\\\ x\"",
                "\"\u20ac\"|\"\u20ac\"",
            })
    void jsonLosesItsWhiteSpaceAndNothingElse(String json, String compact) {
        assertEquals(compact, read("application/json", json).text());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"''|1", "' '|2", "{n:1}|2", "1 2|3", "[1] ]|5"})
    void whatIsNoJsonIsRefusedWithItsPlace(String text, int place) {
        var refused =
                assertThrows(IllegalArgumentException.class, () -> read("application/json", text));

        assertEquals("the event is not JSON at character " + place, refused.getMessage());
    }

    @Test
    void namesMayBeManyAndOfAnyLength() {
        String text =
                IntStream.range(0, 20_000)
                        .mapToObj(i -> "\"n" + i + "\":" + i)
                        .collect(
                                Collectors.joining(",", "{", ",\"" + "x".repeat(60_000) + "\":1}"));

        assertEquals(text, read("application/json", text).text());
    }

    @Test
    void longNumbersAndStringsStay() {
        String text = "[" + "1".repeat(5_000) + ",\"" + "\\t ".repeat(50_000) + "\"]";

        assertEquals(text, read("application/json", text).text());
    }

    @Test
    void lineEndsLeaveJson() {
        assertEquals(
                "{\"a\":[1,2]}", read("application/json", "\r\n{\t\"a\":\n[1,\r\n2]}\n").text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "{", "}", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}",
                        "01",
                "-", "1.", ".5", "1e", "+1", "tru", "True", "nul", "\"", "\"\\x\"", "\"\\u12\"",
                "\"\\u12g4\"", "\"a\nb\"", "1 2", "[1] x", "'a'", "{\"a\":1 \"b\":2}", "\"\\"
            })
    void whatIsNoJsonIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> read("application/json", text), text);
    }

    @Test
    void depthHasALimit() {
        String deep = "[".repeat(64) + "]".repeat(64);

        assertEquals(deep, read("application/json", deep).text());
        assertThrows(
                IllegalArgumentException.class, () -> read("application/json", "[" + deep + "]"));
    }

    @Test
    void whatIsNotUtf8IsRefused() {
        ByteBuffer bad = ByteBuffer.wrap(new byte[] {'a', (byte) 0xC3, 'b'});

        assertThrows(IllegalArgumentException.class, () -> EventData.read("text/plain", bad));
    }
}
