package org.lrwp.protocol.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

class RequestPayloadTest {
    private static final int LIMIT = 65_536;

    private static ByteBuffer payload(int length, String rest) {
        byte[] bytes = rest.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(4 + bytes.length).putInt(length).put(bytes).flip();
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }

    @Test
    void variablesAndFirstBytesOfTheBodyAreRead() throws Exception {
        String block = "A=1\0junk\0B=x=y\0A=2\0E=\0\0";
        ByteBuffer in = payload(block.length(), block + "body\0");

        RequestPayload request = RequestPayload.parse(in, LIMIT);

        assertEquals(Map.of("A", "2", "B", "x=y", "E", ""), request.environment());
        assertEquals("body\0", text(request.body()));
        assertEquals(0, in.remaining());
        assertThrows(UnsupportedOperationException.class, () -> request.environment().put("C", ""));
    }

    @Test
    void anyVariablesAreReadInTheirOrder() throws Exception {
        var random = new Random(5);
        for (int round = 0; round < 300; round++) {
            Map<String, String> variables = new LinkedHashMap<>();
            var block = new StringBuilder();
            int count = random.nextInt(20);
            for (int i = 0; i < count; i++) {
                String value = Integer.toString(random.nextInt(), 1 + random.nextInt(36));
                variables.put("N" + i, value);
                block.append("N").append(i).append('=').append(value).append('\0');
            }
            block.append('\0');
            String body = "b".repeat(random.nextInt(100));

            RequestPayload request =
                    RequestPayload.parse(payload(block.length(), block + body), LIMIT);

            assertEquals(
                    new ArrayList<>(variables.entrySet()),
                    new ArrayList<>(request.environment().entrySet()));
            assertEquals(body, text(request.body()));
        }
    }

    @Test
    void aVariableIsFoundByItsWholeNameAlone() throws Exception {
        String block = "AB=1\0A=2\0junk\0C=x=y\0A=3\0E=\0=n\0\0";

        Map<String, String> found =
                RequestPayload.parse(payload(block.length(), block), LIMIT).environment();

        assertEquals("1", found.get("AB"));
        assertEquals("3", found.get("A"));
        assertEquals("x=y", found.get("C"));
        assertEquals("", found.get("E"));
        assertEquals("n", found.get(""));
        for (String missing : List.of("B", "junk", "C=x", "ABC", "A=3\0E", "y")) {
            assertNull(found.get(missing), missing);
            assertEquals("else", found.getOrDefault(missing, "else"));
        }
        assertEquals(Set.of("AB", "A", "C", "E", ""), found.keySet());
    }

    @Test
    void blockOfNoBytesHasNoVariables() throws Exception {
        RequestPayload request = RequestPayload.parse(payload(0, "body"), LIMIT);

        assertEquals(Map.of(), request.environment());
        assertEquals("body", text(request.body()));
    }

    @Test
    void blockAtTheLimitIsReadAndOneByteMoreIsNot() throws Exception {
        RequestPayload.parse(payload(5, "A=1\0\0"), 5);

        var thrown =
                assertThrows(
                        MalformedFrameException.class,
                        () -> RequestPayload.parse(payload(6, "A=12\0\0"), 5));
        assertEquals(
                "env block of 6 bytes, limit 5, in a REQUEST with 6 more", thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 1_000, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void blockLongerThanItsFrameIsMalformed(int length) {
        assertThrows(
                MalformedFrameException.class,
                () -> RequestPayload.parse(payload(length, "A=1\0\0"), LIMIT));
    }

    @Test
    void blockWithoutNulAtItsEndIsMalformed() {
        assertThrows(
                MalformedFrameException.class,
                () -> RequestPayload.parse(payload(3, "A=1\0\0"), LIMIT));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void requestWithoutTheLengthOfItsBlockIsMalformed(int bytes) {
        assertThrows(
                MalformedFrameException.class,
                () -> RequestPayload.parse(ByteBuffer.allocate(bytes), LIMIT));
    }
}
