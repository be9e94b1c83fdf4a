package org.lrwp.events.event;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.json.Json;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Checks one JSON text (RFC 8259) and takes the white space out of it, so that it fits on a line.
 * Numbers and strings stay as they were written, which no parser that builds values promises.
 */
final class JsonDocument {
    private JsonDocument() {}

    /** Returns the same document without white space; throws IllegalArgumentException. */
    static String compact(String text) {
        check(text);
        StringBuilder compact = new StringBuilder(text.length());
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted || " \t\r\n".indexOf(c) < 0) {
                compact.append(c);
            }
            if (c == '\\') {
                compact.append(text.charAt(++i));
            }
            quoted ^= c == '"';
        }
        return compact.toString();
    }

    private static void check(String text) {
        try (JsonParser parser = Json.parser(text)) {
            if (parser.nextToken() == null) {
                throw bad(parser.currentLocation(), null);
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw bad(parser.currentTokenLocation(), null);
            }
        } catch (StreamConstraintsException e) {
            throw new IllegalArgumentException(
                    "the event is nested deeper than " + Json.DEEPEST, e);
        } catch (JsonProcessingException e) {
            throw bad(e.getLocation(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory is always read", e);
        }
    }

    private static IllegalArgumentException bad(JsonLocation place, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "the event is not JSON at character " + (place.getCharOffset() + 1), cause);
    }
}
