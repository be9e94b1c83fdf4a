package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Request frames, written by {@link EnvBlockWriter} and read by {@link RequestFrameParser}. */
class RequestFrameTest {
    private static final int LIMIT = 65_536;

    private final RequestFrameParser parser = new RequestFrameParser(LIMIT);

    private static EnvBlockWriter begun(int limit) {
        var writer = new EnvBlockWriter();
        writer.begin(limit);
        return writer;
    }

    private static byte[] written(Map<String, String> variables, long bodyLength)
            throws MalformedFrameException {
        var writer = begun(LIMIT);
        for (var variable : variables.entrySet()) {
            writer.add(variable.getKey(), variable.getValue());
        }
        ByteBuffer head = writer.finish(bodyLength);
        byte[] bytes = new byte[head.remaining()];
        head.get(bytes);
        return bytes;
    }

    @Test
    void frameIsDigitsVariablesWithNulsAndDigits() throws Exception {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("REQUEST_METHOD", "GET");
        variables.put("QUERY_STRING", "");

        assertEquals(
                "000000034REQUEST_METHOD=GET\0QUERY_STRING=\0\u0000000000005",
                Cuts.text(written(variables, 5)));
    }

    @Test
    void blockWithoutVariablesIsOneNul() throws Exception {
        assertEquals("000000001\0" + "000000000", Cuts.text(written(Map.of(), 0)));
    }

    @Test
    void anyVariablesAreReadAsTheyWereWrittenHoweverTheyAreCut() throws Exception {
        var random = new Random(20_260_101);
        for (int round = 0; round < 200; round++) {
            Map<String, String> variables = randomVariables(random);
            int bodyLength = random.nextInt(LengthField.MAX_VALUE);
            List<ByteBuffer> cut = Cuts.random(written(variables, bodyLength), random);

            parser.reset();
            boolean whole = false;
            for (ByteBuffer piece : cut) {
                assertFalse(whole);
                whole = parser.feed(piece);
            }

            assertTrue(whole);
            assertEquals(
                    new ArrayList<>(variables.entrySet()),
                    new ArrayList<>(parser.environment().entrySet()));
            assertEquals(bodyLength, parser.bodyLength());
        }
    }

    private static Map<String, String> randomVariables(Random random) {
        Map<String, String> variables = new LinkedHashMap<>();
        int count = random.nextInt(30);
        for (int i = 0; i < count; i++) {
            variables.put("N" + randomText(random, 10).replace('=', '-'), randomText(random, 400));
        }
        return variables;
    }

    private static String randomText(Random random, int most) {
        var text = new StringBuilder();
        int length = random.nextInt(most);
        for (int i = 0; i < length; i++) {
            text.append((char) (1 + random.nextInt(255)));
        }
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "get-query, GET, a=1&b=two%20w, /osp, 0",
        "get-noquery, GET, , /osp, 0",
        "head, HEAD, , /osp, 0",
        "post-form, POST, , /osp, ",
        "post-xml, POST, , /osp, ",
    })
    void recordedRequestIsRead(
            String name, String method, String query, String path, Integer bodyLength)
            throws Exception {
        for (List<ByteBuffer> cut : Cuts.of(WireVector.load(name).toPeer(0))) {
            parser.reset();
            int rest = 0;
            boolean whole = false;
            for (ByteBuffer piece : cut) {
                whole = parser.feed(piece);
                rest += piece.remaining();
            }

            assertTrue(whole);
            Map<String, String> environment = parser.environment();
            assertEquals(method, environment.get("REQUEST_METHOD"));
            assertEquals(query, environment.get("QUERY_STRING"));
            assertEquals(path, environment.get("SCRIPT_PATH"));
            assertEquals(rest, parser.bodyLength());
            if (bodyLength != null) {
                assertEquals(bodyLength, parser.bodyLength());
            }
        }
    }

    @Test
    void bodyStaysInTheBuffer() throws Exception {
        ByteBuffer in = Cuts.buffer("000000001\0" + "000000003abc000000001\0");

        assertTrue(parser.feed(in));
        assertEquals(3, parser.bodyLength());
        assertEquals("abc000000001\0", Cuts.text(in));
    }

    @Test
    void lastOfEqualNamesCountsAndEntriesWithoutEqualsSignAreLeftOut() throws Exception {
        String block = "A=1\0junk\0B=x=y\0A=2\0\0";

        parser.feed(Cuts.buffer("%09d%s%09d".formatted(block.length(), block, 0)));

        assertEquals(Map.of("A", "2", "B", "x=y"), parser.environment());
    }

    @Test
    void blockOfNoBytesHasNoVariables() throws Exception {
        assertTrue(parser.feed(Cuts.buffer("000000000000000000")));
        assertEquals(Map.of(), parser.environment());
        assertEquals(0, parser.bodyLength());
    }

    @Test
    void frameIsPartialFromItsFirstByteUntilItsHeadIsWhole() throws Exception {
        assertFalse(parser.isPartial());
        for (String piece : List.of("0", "00000004", "A=", "\0", "\0", "00000000")) {
            assertFalse(parser.feed(Cuts.buffer(piece)));
            assertTrue(parser.isPartial());
            assertThrows(IllegalStateException.class, parser::environment);
            assertThrows(IllegalStateException.class, parser::bodyLength);
        }
        assertTrue(parser.feed(Cuts.buffer("0")));
        assertFalse(parser.isPartial());
    }

    @Test
    void blockAtTheLimitIsReadAndOneByteMoreIsNot() throws Exception {
        var small = new RequestFrameParser(4);

        assertTrue(small.feed(Cuts.buffer("000000004A=\0\u0000000000000")));
        small.reset();
        var thrown =
                assertThrows(
                        MalformedFrameException.class, () -> small.feed(Cuts.buffer("000000005")));
        assertEquals("env block of 5 bytes, limit 4", thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000003A=1", "x", "000000001\0x", "-00000001", "000000001 "})
    void brokenFrameIsMalformed(String bytes) {
        for (List<ByteBuffer> cut : Cuts.of(Cuts.bytes(bytes))) {
            parser.reset();
            assertThrows(MalformedFrameException.class, () -> feedAll(cut));
        }
    }

    private void feedAll(List<ByteBuffer> cut) throws MalformedFrameException {
        for (ByteBuffer piece : cut) {
            parser.feed(piece);
        }
    }

    @Test
    void writerRefusesWhatPassesItsLimitAndStaysUsable() throws Exception {
        var writer = begun(9);

        writer.add("A", "12");
        assertThrows(MalformedFrameException.class, () -> writer.add("B", "2"));
        writer.add("B", "");

        assertEquals("000000009A=12\0B=\0\u0000000000000", Cuts.text(writer.finish(0)));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 10, 99, 100, 999_999_999, Long.MAX_VALUE})
    void numbersAreDecimal(long number) throws Exception {
        var writer = begun(LIMIT);
        writer.start("A=".getBytes(StandardCharsets.US_ASCII));
        writer.append(number);
        writer.end();
        assertTrue(Cuts.text(writer.finish(0)).contains("A=" + number + "\0\0"));
    }

    @Test
    void oneWriterMakesBlockAfterBlock() throws Exception {
        var writer = new EnvBlockWriter();
        for (int length : new int[] {1, 5_000, 40_000, 3}) {
            String value = "x".repeat(length);
            writer.begin(LIMIT);
            writer.add("A", value);
            String size = String.format("%09d", length + 4);
            assertEquals(size + "A=" + value + "\0\u0000000000007", Cuts.text(writer.finish(7)));
        }
    }

    @ParameterizedTest
    @CsvSource({"'', x", "A=B, x", "A\0B, x", "A\u20ac, x", "A, x\0y", "A, x\u0100"})
    void variableThatCannotBeSentLeavesNoTrace(String name, String value) throws Exception {
        var writer = begun(LIMIT);
        writer.add("BEFORE", "1");

        assertThrows(MalformedFrameException.class, () -> writer.add(name, value));
        writer.add("AFTER", "=\u00ff\n");

        assertEquals(
                "000000020BEFORE=1\0AFTER==\u00ff\n\0\u0000000000000", Cuts.text(writer.finish(0)));
    }

    @Test
    void limitsAndLengthsOutOfRangeAreMistakesOfTheCaller() {
        assertThrows(IllegalArgumentException.class, () -> begun(0));
        var writer = begun(1);
        assertThrows(
                IllegalArgumentException.class, () -> writer.finish(LengthField.MAX_VALUE + 1L));
    }
}
