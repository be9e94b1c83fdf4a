package org.lrwp.webapp.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.aayushatharva.brotli4j.decoder.Decoder;
import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import com.github.luben.zstd.ZstdInputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.config.Coding;
import org.lrwp.webapp.config.CompressionRules;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPInputStream;

class CompressionTest {
    private static final CompressionRules RULES = rules(Coding.GZIP);
    private static final List<Coding> ALL = List.of(Coding.ZSTD, Coding.BR, Coding.GZIP);

    private final Compressors compressors = new Compressors();

    private static CompressionRules rules(Coding... codings) {
        return new CompressionRules(List.of(codings), 100, Set.of("text/*", "application/json"));
    }

    private Compression of(CompressionRules rules, String accept) {
        return new Compression(rules, accept, "", compressors, 4);
    }

    private Compression all(String accept) {
        return of(rules(ALL.toArray(Coding[]::new)), accept);
    }

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

    private static InputStream reader(Coding coding, byte[] bytes) throws IOException {
        var in = new ByteArrayInputStream(bytes);
        return switch (coding) {
            case GZIP -> new GZIPInputStream(in);
            case BR -> new ByteArrayInputStream(brotli(bytes));
            case ZSTD -> new ZstdInputStream(in).setContinuous(true);
        };
    }

    /** What can be read of a short stream that has not ended: the library's own wants its end. */
    private static byte[] brotli(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        var decoder = new DecoderJNI.Wrapper(bytes.length);
        try {
            decoder.getInputBuffer().put(bytes);
            decoder.push(bytes.length);
            while (decoder.hasOutput()) {
                put(out, decoder.pull());
            }
        } finally {
            decoder.destroy();
        }
        return out.toByteArray();
    }

    private static byte[] unzipped(Coding coding, byte[] bytes) throws IOException {
        if (coding == Coding.BR) {
            return Decoder.decompress(bytes).getDecompressedData();
        }
        try (InputStream in = reader(coding, bytes)) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @EnumSource(Coding.class)
    void theBodyInAnyPiecesIsTheSameAndSmaller(Coding coding) throws Exception {
        byte[] body =
                "the same words again and again, ".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        var random = new Random(7);
        try (var compression = of(rules(coding), "gzip, br, zstd")) {
            AnswerHead head =
                    compression.begin(head(200, -1, "Content-Type", "text/html;charset=utf-8"));
            assertEquals(coding.token(), value(head, "Content-Encoding"));
            assertEquals("Accept-Encoding", value(head, "Vary"));
            var sent = new ByteArrayOutputStream();
            for (int at = 0; at < body.length; ) {
                int count = Math.min(random.nextInt(20_000), body.length - at);
                ByteBuffer piece = ByteBuffer.wrap(body, at, count);
                boolean direct = random.nextBoolean();
                put(sent, compression.add(direct ? copied(piece) : piece));
                if (random.nextInt(4) == 0) {
                    put(sent, compression.flush());
                }
                at += count;
            }
            put(sent, compression.end());
            assertArrayEquals(body, unzipped(coding, sent.toByteArray()));
            assertTrue(sent.size() < body.length / 10, "" + sent.size());
        }
    }

    private static ByteBuffer copied(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
    }

    @ParameterizedTest
    @EnumSource(Coding.class)
    void noiseThatCannotBeMadeSmallerStaysWhole(Coding coding) throws Exception {
        byte[] noise = new byte[200_000];
        new Random(3).nextBytes(noise);
        try (var compression = of(rules(coding), coding.token())) {
            compression.begin(head(200, noise.length, "Content-Type", "text/plain"));
            ByteBuffer sent = compression.whole(ByteBuffer.wrap(noise));
            byte[] bytes = new byte[sent.remaining()];
            sent.get(bytes);
            assertArrayEquals(noise, unzipped(coding, bytes));
        }
    }

    @ParameterizedTest
    @EnumSource(Coding.class)
    void whatHasBeenFlushedCanBeReadBeforeTheEnd(Coding coding) throws Exception {
        try (var compression = of(rules(coding), coding.token())) {
            compression.begin(head(200, -1, "Content-Type", "text/event-stream"));
            var sent = new ByteArrayOutputStream();
            put(sent, compression.add(ByteBuffer.wrap(new byte[] {'d', 'a', 't', 'a'})));
            put(sent, compression.flush());
            try (InputStream in = reader(coding, sent.toByteArray())) {
                assertArrayEquals(new byte[] {'d', 'a', 't', 'a'}, in.readNBytes(4));
            }
            assertEquals(0, compression.flush().remaining(), "nothing new");
        }
    }

    @Test
    void aStrongValidatorBecomesWeakAndRangesAreNotOffered() {
        try (var compression = of(RULES, "gzip")) {
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
        try (var compression = of(RULES, accept)) {
            AnswerHead head = compression.begin(head(200, 500, "Content-Type", "text/css"));
            assertFalse(compression.isOn());
            assertEquals("Accept-Encoding", value(head, "Vary"), "it would be another for others");
            assertEquals(500, head.contentLength());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "x-gzip", "*", "br;q=1, *;q=0.1", "gzip;q=0.5"})
    void aClientThatTakesItGetsIt(String accept) {
        try (var compression = of(RULES, accept)) {
            compression.begin(head(200, 500, "Content-Type", "text/css"));
            assertTrue(compression.isOn());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, 99, Content-Type, text/html",
        "206, 500, Content-Type, text/html",
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
        try (var compression = of(RULES, "gzip")) {
            assertSame(head, compression.begin(head));
            assertFalse(compression.isOn());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'gzip, br, zstd', zstd",
        "'gzip, br', br",
        "'gzip;q=1.0, br;q=0.9, zstd;q=0.8', gzip",
        "'br;q=0.5, *;q=0.2', br",
        "'*', zstd",
        "'*;q=0.3, zstd;q=0', br",
        "'ZSTD', zstd",
        "'x-gzip, deflate', gzip",
        "'gzip;q=0.5, identity;q=0.4', gzip",
        "'gzip;q=0.4, identity', ''",
        "'br;q=2, gzip', gzip",
        "'br;q=0.1234, gzip;q=0.1', gzip",
        "'br;q=, gzip', gzip",
        "'deflate', ''",
        "'', ''",
    })
    void aClientGetsWhatItLikesBest(String accept, String coding) {
        try (var compression = all(accept)) {
            AnswerHead head = compression.begin(head(200, 500, "Content-Type", "text/css"));
            assertEquals(coding, value(head, "Content-Encoding"));
            assertEquals("Accept-Encoding", value(head, "Vary"));
        }
    }

    @Test
    void aboveTheLimitAnswersStayAsTheyAreUntilOneHasEnded() {
        List<Compression> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Compression one = all("br");
            one.begin(head(200, -1, "Content-Type", "text/css"));
            open.add(one);
        }
        try (var more = all("br")) {
            AnswerHead head = more.begin(head(200, 500, "Content-Type", "text/css"));
            assertFalse(more.isOn());
            assertEquals("", value(head, "Content-Encoding"));
            assertEquals("Accept-Encoding", value(head, "Vary"));
            assertEquals(500, head.contentLength());
        }
        assertEquals(1, compressors.refused());
        open.forEach(Compression::close);
        open.forEach(Compression::close);
        for (int i = 0; i < 4; i++) {
            try (var next = all("gzip")) {
                next.begin(head(200, -1, "Content-Type", "text/css"));
                assertTrue(next.isOn());
            }
        }
        assertEquals(4, compressors.made(Coding.BR));
        assertEquals(4, compressors.made(Coding.GZIP));
    }

    @Test
    void anAnswerToHeadSaysTheCodingAndTakesNothing() {
        var plain = head(200, 500, "Content-Type", "text/css");
        var asked = new AnswerHead(200, "OK", plain.fields(), 500, true);
        try (var compression = all("br")) {
            assertEquals("br", value(compression.begin(asked), "Content-Encoding"));
            assertFalse(compression.isOn());
        }
        assertEquals(0, compressors.made(Coding.BR));
    }

    @Test
    void notModifiedHasTheValidatorThatTheClientShowsAndSaysWhatItVariesBy() {
        try (var one = new Compression(RULES, "gzip", "W/\"a\", \"b\"", compressors, 4)) {
            AnswerHead confirmed = one.begin(head(304, -1, "ETag", "\"a\""));
            assertEquals("W/\"a\"", value(confirmed, "ETag"));
            assertEquals("Accept-Encoding", value(confirmed, "Vary"));
            assertFalse(one.isOn());

            assertEquals("\"b\"", value(one.begin(head(304, -1, "ETag", "\"b\"")), "ETag"));
            assertEquals("\"c\"", value(one.begin(head(304, -1, "ETag", "\"c\"")), "ETag"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Digest", "Repr-Digest", "Digest", "content-md5"})
    void digestOfThePlainBytesGoes(String name) {
        String[] fields = {"Content-Type", "text/plain", name, "sha-256=:x:"};
        try (Compression one = of(RULES, "gzip")) {
            assertEquals("", value(one.begin(head(200, 1000, fields)), name));
        }
        try (Compression none = of(RULES, "")) {
            assertEquals("sha-256=:x:", value(none.begin(head(200, 1000, fields)), name));
        }
    }
}
