package org.lrwp.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;

/** JSON on one line, as everything here writes it, and its parser. Thread-safe; blocks nobody. */
public final class Json {
    /** Arrays and objects within each other; what is deeper is not read. */
    public static final int DEEPEST = 64;

    private static final String MEDIA_TYPE = "application/json";

    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
                    // A table of names would be filled by strangers.
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .characterEscapes(new LineEscapes())
                    // The default keeps buffers with threads, which are the container's.
                    .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                    // Whoever reads a text has limited its size already.
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEEPEST)
                                    .maxNumberLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .build())
                    .build();

    private Json() {}

    /** Writes the content of a text or of a group. */
    @FunctionalInterface
    public interface Content {
        /**
         * Writes it.
         *
         * @param json where to
         * @throws IOException never in a text
         */
        void write(JsonGenerator json) throws IOException;
    }

    /**
     * Writes the members of one of many objects.
     *
     * @param <T> what each of them is about
     */
    @FunctionalInterface
    public interface Members<T> {
        /**
         * Writes them.
         *
         * @param json where to
         * @param value what they are about
         * @throws IOException never in a text
         */
        void write(JsonGenerator json, T value) throws IOException;
    }

    /**
     * Says whether a Content-Type names JSON, with parameters or without, in any case: RFC 9110
     * section 8.3.1.
     *
     * @param type value of the field; null when there is none
     * @return whether it does
     */
    public static boolean isNamed(@Nullable String type) {
        return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase(MEDIA_TYPE);
    }

    /**
     * Writes a text: RFC 8259.
     *
     * @param content its one value
     * @return the text, on one line
     */
    public static String text(Content content) {
        var text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            content.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory is always written", e);
        }
        return text.toString();
    }

    /**
     * Writes a text that is an object.
     *
     * @param members its members
     * @return the text, on one line
     */
    public static String object(Content members) {
        return text(
                json -> {
                    json.writeStartObject();
                    members.write(json);
                    json.writeEndObject();
                });
    }

    /**
     * Writes a member whose value is a number. JSON knows neither infinity nor what is no number:
     * these are null.
     *
     * @param json an object that has begun
     * @param name the member's
     * @param value any number
     * @throws IOException when the generator cannot write
     */
    public static void number(JsonGenerator json, String name, Number value) throws IOException {
        json.writeFieldName(name);
        if (Double.isFinite(value.doubleValue())) {
            json.writeNumber(value.toString());
        } else {
            json.writeNull();
        }
    }

    /**
     * Writes a member whose value is an object of numbers.
     *
     * @param json an object that has begun
     * @param name the member's
     * @param numbers by name
     * @throws IOException when the generator cannot write
     */
    public static void numbers(JsonGenerator json, String name, Map<String, Long> numbers)
            throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> one : numbers.entrySet()) {
            json.writeNumberField(one.getKey(), one.getValue());
        }
        json.writeEndObject();
    }

    /**
     * Writes a member whose value is an array of texts.
     *
     * @param json an object that has begun
     * @param name the member's
     * @param texts in their order
     * @throws IOException when the generator cannot write
     */
    public static void texts(JsonGenerator json, String name, Collection<String> texts)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    /**
     * Writes a member whose value is an array of objects.
     *
     * @param <T> what each of them is about
     * @param json an object that has begun
     * @param name the member's
     * @param values one for each object
     * @param members writes the members of each
     * @throws IOException when the generator cannot write
     */
    public static <T> void objects(
            JsonGenerator json, String name, Collection<T> values, Members<T> members)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (T value : values) {
            json.writeStartObject();
            members.write(json, value);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Begins to read a text.
     *
     * @param text JSON, or maybe not
     * @return its tokens; whatever breaks a rule is an exception with its place
     * @throws IOException when it cannot begin
     */
    public static JsonParser parser(String text) throws IOException {
        return FACTORY.createParser(text);
    }

    /** Some readers of lines take U+2028 and U+2029 for an end of one. */
    private static final class LineEscapes extends CharacterEscapes {
        private static final long serialVersionUID = 1;
        private static final int[] ASCII = standardAsciiEscapesForJSON();
        private static final SerializableString LINE_END = new SerializedString("\\u2028");
        private static final SerializableString PARAGRAPH_END = new SerializedString("\\u2029");

        static {
            ASCII[0x7F] = ESCAPE_STANDARD;
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ASCII;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return switch (character) {
                case 0x2028 -> LINE_END;
                case 0x2029 -> PARAGRAPH_END;
                default -> null;
            };
        }
    }
}
