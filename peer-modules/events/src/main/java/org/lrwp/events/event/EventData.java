package org.lrwp.events.event;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/**
 * What an event says. Immutable.
 *
 * @param kind JSON or text
 * @param text the text; JSON without white space around its tokens
 */
public record EventData(Kind kind, String text) {
    /** What the data is. */
    public enum Kind {
        /** A JSON value, passed on as such. */
        JSON,
        /** Any other text, a JSON string where JSON is written. */
        TEXT
    }

    /** Checks that nothing is missing. */
    public EventData {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(text, "text");
    }

    /**
     * Reads what was published.
     *
     * @param contentType of the request; empty for none. {@code application/json} and {@code +json}
     *     are JSON, anything else is text
     * @param bytes the body
     * @return the data
     * @throws IllegalArgumentException when it is not UTF-8, or not the JSON that it says it is
     */
    public static EventData read(String contentType, ByteBuffer bytes) {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the event is not UTF-8", e);
        }
        return isJson(contentType)
                ? new EventData(Kind.JSON, JsonDocument.compact(text))
                : new EventData(Kind.TEXT, text);
    }

    private static boolean isJson(String contentType) {
        int semicolon = contentType.indexOf(';');
        String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        String known = type.strip().toLowerCase(Locale.ROOT);
        return known.equals("application/json") || known.endsWith("+json");
    }
}
