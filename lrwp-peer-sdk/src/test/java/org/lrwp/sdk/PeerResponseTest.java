package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

final class PeerResponseTest {
    /** Remembers each write by itself. */
    private static final class Writes extends OutputStream {
        private final List<byte[]> writes = new ArrayList<>();

        @Override
        public void write(int value) {
            writes.add(new byte[] {(byte) value});
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            ByteArrayOutputStream copy = new ByteArrayOutputStream();
            copy.write(bytes, offset, count);
            writes.add(copy.toByteArray());
        }
    }

    private static Writes written(PeerResponse response) throws IOException {
        Writes out = new Writes();
        AnswerFrame.of(response).writeTo(out, () -> {});
        return out;
    }

    @Test
    void smallAnswerIsOneWrite() throws Exception {
        PeerResponse response = PeerResponse.text(404, "no").with("X-A", "1").with("X-A", "2");

        List<byte[]> writes = written(response).writes;

        assertEquals(1, writes.size());
        assertEquals(
                "000000084Content-Type: text/plain; charset=utf-8\r\nX-A: 1\r\nX-A: 2\r\n"
                        + "Status: 404 Not Found\r\n\r\nno",
                new String(writes.getFirst(), StandardCharsets.ISO_8859_1));
    }

    @Test
    void answerWithoutHeadersAndBodyIsNotEmpty() throws Exception {
        List<byte[]> writes = written(new PeerResponse(204, List.of(), new byte[0])).writes;

        assertEquals(
                "000000026Status: 204 No Content\r\n\r\n",
                new String(writes.getFirst(), StandardCharsets.ISO_8859_1));
    }

    /** Or a proxy that takes a long answer slowly would look like one that takes nothing. */
    @Test
    void everyPartOfALongAnswerHasItsOwnTime() throws Exception {
        Writes out = new Writes();
        List<Integer> begun = new ArrayList<>();

        AnswerFrame.of(PeerResponse.of("a/b", new byte[1_000_000]))
                .writeTo(out, () -> begun.add(out.writes.size()));

        assertEquals(List.of(0, 1, 2, 3, 4), begun);
        assertTrue(out.writes.stream().allMatch(write -> write.length <= 262_144));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_000, 65_480, 65_481, 65_482, 65_536, 65_537, 200_000})
    void lengthCountsAllBytesHoweverTheyAreWritten(int size) throws Exception {
        List<byte[]> writes = written(PeerResponse.of("a/b", new byte[size])).writes;

        long bytes = writes.stream().mapToLong(write -> write.length).sum();
        String digits = new String(writes.getFirst(), 0, 9, StandardCharsets.ISO_8859_1);
        assertEquals(bytes - 9, Long.parseLong(digits));
        assertEquals(bytes > AnswerFrame.ONE_WRITE ? 2 : 1, writes.size());
        assertTrue(writes.getFirst().length <= AnswerFrame.ONE_WRITE);
    }

    @ParameterizedTest
    @CsvSource({
        "200,OK",
        "299,Success",
        "399,Redirection",
        "499,Client Error",
        "599,Server Error",
        "999,Other",
        "503,Service Unavailable"
    })
    void everyStatusHasAReason(int status, String reason) {
        assertEquals(reason, StatusReason.of(status));
    }

    @Test
    void whatCannotBeSentIsRejected() {
        assertThrows(IllegalArgumentException.class, () -> PeerResponse.text(199, ""));
        assertThrows(IllegalArgumentException.class, () -> PeerResponse.text(1000, ""));
        PeerResponse fine = PeerResponse.text(200, "");
        assertThrows(IllegalArgumentException.class, () -> fine.with("status", "1"));
        assertThrows(IllegalArgumentException.class, () -> fine.with("X", "a\r\nb"));
    }
}
