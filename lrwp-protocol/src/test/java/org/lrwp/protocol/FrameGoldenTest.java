package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lrwp.protocol.frame.FrameParser;
import org.lrwp.protocol.frame.PeerSettings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * What frames of LRWP 3 come out as: hex with comments, then {@code ----}, then the expected text.
 * Run with {@code -Dgolden.update} to write the expected part anew.
 */
class FrameGoldenTest {
    private static final String SEPARATOR = "----\n";
    private static final Path FOLDER = Path.of("src/test/resources/golden/frame");
    private static final boolean UPDATE = System.getProperty("golden.update") != null;

    static Stream<Path> cases() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void framesComeOutAsTheyAreWrittenDownAtEverySplit(Path file) throws IOException {
        String text = Files.readString(file);
        int separator = text.indexOf(SEPARATOR);
        byte[] bytes = bytes(text.substring(0, separator));
        String actual = read(List.of(ByteBuffer.wrap(bytes)));
        if (UPDATE) {
            Files.writeString(file, text.substring(0, separator) + SEPARATOR + actual);
        }

        assertEquals(text.substring(separator + SEPARATOR.length()), actual);
        for (List<ByteBuffer> cut : Cuts.of(bytes)) {
            assertEquals(actual, read(cut));
        }
        for (int at = 0; at <= bytes.length; at++) {
            ByteBuffer first = ByteBuffer.wrap(bytes, 0, at);
            ByteBuffer second = ByteBuffer.wrap(bytes, at, bytes.length - at);
            assertEquals(actual, read(List.of(first, second)));
        }
    }

    /** The bytes of every case. */
    static Stream<byte[]> all() {
        try {
            return cases().map(FrameGoldenTest::load);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] load(Path file) {
        try {
            String text = Files.readString(file);
            return bytes(text.substring(0, text.indexOf(SEPARATOR)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String hex) {
        var digits = new StringBuilder();
        hex.lines().filter(line -> !line.startsWith("#")).forEach(digits::append);
        return HexFormat.of().parseHex(digits.toString().replace(" ", ""));
    }

    private static String read(List<ByteBuffer> cut) {
        var parser = new FrameParser(PeerSettings.MIN_MAX_FRAME);
        var text = new StringBuilder();
        try {
            for (ByteBuffer piece : cut) {
                while (parser.next(piece)) {
                    text.append(escaped(FrameWords.said(parser)).strip()).append('\n');
                }
            }
        } catch (MalformedFrameException e) {
            return text + "malformed: " + e.getMessage() + "\n";
        }
        return text + (parser.isInsideFrame() ? "ends inside a frame\n" : "");
    }

    private static String escaped(String bytes) {
        var text = new StringBuilder();
        for (byte value : bytes.getBytes(StandardCharsets.ISO_8859_1)) {
            if (value >= ' ' && value < 0x7F && value != '\\') {
                text.append((char) value);
            } else {
                text.append("\\x%02x".formatted(value));
            }
        }
        return text.toString();
    }
}
