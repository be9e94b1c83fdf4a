package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * What answers of peers come out as: hex with comments, then {@code ----}, then the expected text.
 * Run with {@code -Dgolden.update} to write the expected part anew.
 */
class ResponseGoldenTest {
    private static final String SEPARATOR = "----\n";
    private static final Path FOLDER = Path.of("src/test/resources/golden/response");
    private static final boolean UPDATE = System.getProperty("golden.update") != null;

    static Stream<Path> cases() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void answerComesOutAsItIsWrittenDownHoweverItIsCut(Path file) throws IOException {
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
    }

    private static byte[] bytes(String hex) {
        var digits = new StringBuilder();
        hex.lines().filter(line -> !line.startsWith("#")).forEach(digits::append);
        return HexFormat.of().parseHex(digits.toString().replace(" ", ""));
    }

    private static String read(List<ByteBuffer> cut) {
        var frame = new ResponseFrameParser();
        var head = new CgiHeadParser(65_536);
        var body = new StringBuilder();
        var left = new StringBuilder();
        try {
            for (ByteBuffer piece : cut) {
                if (frame.feedLength(piece)) {
                    ByteBuffer output = frame.take(piece);
                    head.feed(output);
                    body.append(Cuts.text(output));
                }
                left.append(Cuts.text(piece));
            }
        } catch (MalformedFrameException e) {
            return "malformed: " + e.getMessage() + "\n";
        }
        if (!frame.isComplete()) {
            return "incomplete\n";
        }
        head.endOfOutput();
        return written(head, frame.length())
                + line("body", Cuts.text(head.collected()) + body)
                + line("left", left.toString());
    }

    private static String written(CgiHeadParser parser, int length) {
        CgiHead head = parser.head();
        var text = new StringBuilder("frame " + length + ", head " + parser.headLength() + "\n");
        text.append(head.status()).append(head.reason().isEmpty() ? "" : " " + head.reason());
        text.append('\n');
        head.fields().forEach(f -> text.append(f.name() + ": " + f.value() + "\n"));
        return text + "length said " + head.contentLength() + "\n";
    }

    private static String line(String name, String bytes) {
        var text = new StringBuilder(name + " \"");
        for (byte unit : bytes.getBytes(StandardCharsets.ISO_8859_1)) {
            if (unit >= ' ' && unit < 0x7F && unit != '"' && unit != '\\') {
                text.append((char) unit);
            } else {
                text.append("\\x%02x".formatted(unit));
            }
        }
        return text + "\"\n";
    }
}
