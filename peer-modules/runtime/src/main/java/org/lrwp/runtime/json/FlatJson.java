package org.lrwp.runtime.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Reads an object whose members are texts and numbers. Thread-safe; blocks nobody. */
public final class FlatJson {
    private FlatJson() {}

    /**
     * Reads an object that may have members of any name.
     *
     * @param body UTF-8; an empty one is an empty object
     * @return its members in their order, numbers as texts
     * @throws IOException with a sentence when it is none, or has something else
     */
    public static Map<String, String> read(byte[] body) throws IOException {
        return read(body, name -> true, "");
    }

    /**
     * Reads an object.
     *
     * @param body UTF-8; an empty one is an empty object
     * @param known names that it may have
     * @return its members in their order, numbers as texts
     * @throws IOException with a sentence when it is none, or has something else
     */
    public static Map<String, String> read(byte[] body, Set<String> known) throws IOException {
        return read(body, known::contains, String.join(", ", known));
    }

    private static Map<String, String> read(byte[] body, Predicate<String> isKnown, String known)
            throws IOException {
        Map<String, String> members = new LinkedHashMap<>();
        if (body.length == 0) {
            return members;
        }
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        try (JsonParser json = Json.parser(text)) {
            require(json.nextToken() == JsonToken.START_OBJECT, "The body is no JSON object.");
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                require(isKnown.test(name), "The body may have: " + known);
                JsonToken value = json.nextToken();
                require(
                        value == JsonToken.VALUE_STRING || value == JsonToken.VALUE_NUMBER_INT,
                        name + " is neither a text nor a whole number.");
                require(members.put(name, json.getText()) == null, name + " stands there twice.");
            }
            require(json.nextToken() == null, "Something follows the JSON object.");
        }
        return members;
    }

    private static void require(boolean right, String sentence) throws IOException {
        if (!right) {
            throw new IOException(sentence);
        }
    }
}
