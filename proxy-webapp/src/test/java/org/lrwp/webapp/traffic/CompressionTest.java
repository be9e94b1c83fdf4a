package org.lrwp.webapp.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.config.CompressionRules;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPInputStream;

class CompressionTest {
    private static final CompressionRules RULES =
            new CompressionRules(true, 100, Set.of("text/*", "application/json"));

    private static AnswerHead head(int status, long length, String... fields) {
        List<HeaderField> list = new ArrayList<>();
        for (int i = 0; i < fields.length; i += 2) {
            list.add(new HeaderField(fields[i], fields[i + 1]));
        }
        return new AnswerHead(status, "OK", list, length, false);
    }

    private static String value(AnswerHead head, String name) {
        return String.join(
                "|",
                head.fields().stream()
                        .filter(field -> field.name().equalsIgnoreCase(name))
                        .map(HeaderField::value)
                        .toList());
    }

    private static void put(ByteArrayOutputStream all, ByteBuffer some) {
        byte[] bytes = new byte[some.remaining()];
        some.get(bytes);
        all.writeBytes(bytes);
    }

    private static byte[] unzipped(byte[] bytes) throws IOException {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }

    @Test
    void theBodyInAnyPiecesIsTheSameAndSmaller() throws Exception {
        byte[] body =
                "the same words again and again, ".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        var random = new Random(7);
        try (var compression = new Compression(RULES, "br, gzip")) {
            AnswerHead head =
                    compression.begin(head(200, -1, "Content-Type", "text/html;charset=utf-8"));
            assertEquals("gzip", value(head, "Content-Encoding"));
            assertEquals("Accept-Encoding", value(head, "Vary"));
            var sent = new ByteArrayOutputStream();
            for (int at = 0; at < body.length; ) {
                int count = Math.min(random.nextInt(20_000), body.length - at);
                put(sent, compression.add(ByteBuffer.wrap(body, at, count)));
                if (random.nextInt(4) == 0) {
                    put(sent, compression.flush());
                }
                at += count;
            }
            put(sent, compression.end());
            assertArrayEquals(body, unzipped(sent.toByteArray()));
            assertTrue(sent.size() < body.length / 10, "" + sent.size());
        }
    }

    @Test
    void noiseThatCannotBeMadeSmallerStaysWhole() throws Exception {
        byte[] noise = new byte[200_000];
        new Random(3).nextBytes(noise);
        try (var compression = new Compression(RULES, "gzip")) {
            compression.begin(head(200, noise.length, "Content-Type", "text/plain"));
            ByteBuffer sent = compression.whole(ByteBuffer.wrap(noise));
            byte[] bytes = new byte[sent.remaining()];
            sent.get(bytes);
            assertArrayEquals(noise, unzipped(bytes));
        }
    }

    @Test
    void whatHasBeenFlushedCanBeReadBeforeTheEnd() throws Exception {
        try (var compression = new Compression(RULES, "gzip")) {
            compression.begin(head(200, -1, "Content-Type", "text/event-stream"));
            var sent = new ByteArrayOutputStream();
            put(sent, compression.add(ByteBuffer.wrap(new byte[] {'d', 'a', 't', 'a'})));
            put(sent, compression.flush());
            try (var in = new GZIPInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
                assertArrayEquals(new byte[] {'d', 'a', 't', 'a'}, in.readNBytes(4));
            }
            assertEquals(0, compression.flush().remaining(), "nothing new");
        }
    }

    @Test
    void aStrongValidatorBecomesWeakAndRangesAreNotOffered() {
        try (var compression = new Compression(RULES, "gzip")) {
            AnswerHead head =
                    compression.begin(
                            head(
                                    200,
                                    500,
                                    "Content-Type",
                                    "application/json",
                                    "ETag",
                                    "\"v1\"",
                                    "Accept-Ranges",
                                    "bytes",
                                    "Vary",
                                    "Cookie"));
            assertEquals("W/\"v1\"", value(head, "ETag"));
            assertEquals("", value(head, "Accept-Ranges"));
            assertEquals("Cookie|Accept-Encoding", value(head, "Vary"));
            assertEquals(-1, head.contentLength());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "br", "identity", "gzip;q=0", "*;q=0", "br, gzip; q=0.000"})
    void aClientThatDoesNotTakeItGetsTheBodyAsItIs(String accept) {
        try (var compression = new Compression(RULES, accept)) {
            AnswerHead head = compression.begin(head(200, 500, "Content-Type", "text/css"));
            assertFalse(compression.isOn());
            assertEquals("Accept-Encoding", value(head, "Vary"), "it would be another for others");
            assertEquals(500, head.contentLength());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "x-gzip", "*", "br;q=1, *;q=0.1", "gzip;q=0.5"})
    void aClientThatTakesItGetsIt(String accept) {
        try (var compression = new Compression(RULES, accept)) {
            compression.begin(head(200, 500, "Content-Type", "text/css"));
            assertTrue(compression.isOn());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, 99, Content-Type, text/html",
        "206, 500, Content-Type, text/html",
        "304, -1, Content-Type, text/html",
        "200, 500, Content-Type, image/png",
        "200, 500, Content-Type, textual/html",
        "200, 500, Content-Encoding, br",
        "200, 500, Cache-Control, 'private, no-transform'",
    })
    void whatMustStayAsItIsStays(int status, long length, String name, String value) {
        boolean typed = name.equals("Content-Type");
        AnswerHead head =
                typed
                        ? head(status, length, name, value)
                        : head(status, length, "Content-Type", "text/html", name, value);
        try (var compression = new Compression(RULES, "gzip")) {
            assertSame(head, compression.begin(head));
            assertFalse(compression.isOn());
        }
    }
}
