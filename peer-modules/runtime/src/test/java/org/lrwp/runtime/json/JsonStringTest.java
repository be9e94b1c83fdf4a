package org.lrwp.runtime.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

class JsonStringTest {
    record Pair(String text, String json) {}

    static List<Pair> texts() {
        return List.of(
                new Pair("", "\"\""),
                new Pair("a\u00e9/", "\"a\u00e9/\""),
                new Pair("\"\\", "\"\\\"\\\\\""),
                new Pair("\n\r\t", "\"\\n\\r\\t\""),
                new Pair("\0\u001f\u007f", "\"\\u0000\\u001f\\u007f\""),
                new Pair("\u2028\u2029", "\"\\u2028\\u2029\""));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aTextIsOneLineOfJson(Pair pair) {
        assertEquals(pair.json, JsonString.quoted(pair.text));
    }
}
