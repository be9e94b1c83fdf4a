package org.lrwp.runtime.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonParseException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

class JsonTest {
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
        assertEquals(pair.json, Json.text(json -> json.writeString(pair.text)));
    }

    @Test
    void longTextsAreEscapedToTheirEnd() {
        String line = "x\u2028\n".repeat(5_000);

        assertEquals(
                "\"" + "x\\u2028\\n".repeat(5_000) + "\"",
                Json.text(json -> json.writeString(line)));
    }

    @Test
    void numbersStayAsTheyAreAndWhatIsNoneIsNull() {
        assertEquals(
                "{\"a\":1,\"b\":0.5,\"c\":null,\"d\":null}",
                Json.object(
                        json -> {
                            Json.number(json, "a", 1L);
                            Json.number(json, "b", 0.5);
                            Json.number(json, "c", Double.NaN);
                            Json.number(json, "d", Double.NEGATIVE_INFINITY);
                        }));
    }

    @Test
    void whatIsNoJsonIsRefusedWithItsPlace() throws Exception {
        try (var parser = Json.parser("{n:1}")) {
            parser.nextToken();
            var refused = assertThrows(JsonParseException.class, parser::nextToken);
            assertEquals(1, refused.getLocation().getCharOffset());
        }
    }
}
