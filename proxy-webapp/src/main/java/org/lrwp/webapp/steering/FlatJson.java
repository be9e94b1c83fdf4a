package org.lrwp.webapp.steering;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import org.lrwp.runtime.json.Json;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Reads an object whose members are texts and numbers. */
final class FlatJson {
    private FlatJson() {}

    /**
     * Reads an object.
     *
     * @param body UTF-8; an empty one is an empty object
     * @param known names that it may have
     * @throws IOException with a sentence when it is none, or has something else
     */
    static Map<String, String> read(byte[] body, Set<String> known) throws IOException {
        Map<String, String> members = new LinkedHashMap<>();
        if (body.length == 0) {
            return members;
        }
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        try (JsonParser json = Json.parser(text)) {
            require(json.nextToken() == JsonToken.START_OBJECT, "The body is no JSON object.");
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                require(known.contains(name), "The body may have: " + String.join(", ", known));
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
