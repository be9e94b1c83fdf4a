package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;

@DisplayName("RFC 9112 section 7: chunks")
class ChunkedBodyTest {
    private static final String END = "0\r\n\r\n";

    @Test
    @DisplayName("7.1: chunks are put together")
    void chunksArePutTogether() {
        assertEquals("abcde", Requests.chunked("2\r\nab\r\n3\r\ncde\r\n" + END));
        assertEquals("", Requests.chunked(END));
        assertEquals("\r\n0\r\n\r\n", Requests.chunked("7\r\n\r\n0\r\n\r\n\r\n" + END));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "0a", "00A", "0000000000000000000000000a"})
    @DisplayName("7.1: hex digits of both cases, with any number of leading zeros")
    void sizeIsAHexNumber(String size) {
        assertEquals("0123456789", Requests.chunked(size + "\r\n0123456789\r\n" + END));
    }

    @Test
    @DisplayName("7.1: the last chunk is one or more zeros")
    void lastChunkMayHaveManyZeros() {
        assertEquals("a", Requests.chunked("1\r\na\r\n00000000000000000000\r\n\r\n"));
    }

    @Test
    @DisplayName("7.1: large sizes do not overflow")
    void largeSizeDoesNotOverflow() {
        assertEquals(Conversation.MORE, Requests.refusedChunks("fffffffffffffff\r\n"));
        assertEquals(Conversation.MORE, Requests.refusedChunks("0fffffffffffffff\r\n"));
        assertTrue(Requests.refusedChunks("1000000000000000\r\n").startsWith("400 size"));
        assertTrue(Requests.refusedChunks("ffffffffffffffff\r\n").startsWith("400 size"));
        assertTrue(Requests.refusedChunks("10000000000000005\r\n").startsWith("400 size"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                " 1\r\n",
                "\t1\r\n",
                "-1\r\n",
                "+1\r\n",
                "0x1\r\n",
                "g\r\n",
                "1g\r\n",
                "1 \r\n",
                "1\t\r\n",
                "1 1\r\n",
                ";a\r\n",
                "1,\r\n",
                "\u0000\r\n",
                "1\u0000\r\n",
                "1h\r\n",
                "@\r\n",
                "`\r\n",
                "/\r\n",
                ":\r\n",
                "1.0\r\n",
                "\u00e1\r\n"
            })
    @DisplayName("7.1: a size that is no hex number")
    void invalidSizeIsRefused(String line) {
        assertTrue(Requests.refusedChunks(line).startsWith("400 "), line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1\na\r\n",
                "1\rXa\r\n",
                "1\r\na\nX",
                "1\r\na\rX",
                "1\r\n\r\n\r\n",
                "0\r\n\n"
            })
    @DisplayName("7.1, 2.2: lines and chunks end with CR LF")
    void lineOfAChunkEndsWithCrLf(String chunks) {
        String end = Requests.refusedChunks(chunks);
        boolean dataIsALineEnd = chunks.equals("1\r\n\r\n\r\n");
        assertTrue(end.startsWith("400 "), end + dataIsALineEnd);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1\r\nab\r\n", "3\r\nab\r\n0\r\n\r\n", "2\r\na\r\n0\r\n\r\n"})
    @DisplayName("7.1: a chunk that is not as long as it says")
    void chunkOfAnotherLengthIsRefused(String chunks) {
        assertTrue(Requests.refusedChunks(chunks).startsWith("400 chunk"), chunks);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";a",
                ";a=b",
                ";a=\"b\"",
                ";a=\"\"",
                ";a=\"b;c \\\" \\\\ \t\u00e9\"",
                ";a=\"\\\u00ff\"",
                ";a;b;c=d",
                " ; a = b ; c",
                "\t;\ta\t=\t\"b\"\t;c=d",
                ";a=\"0\" ;b",
                ";!#$%&'*+-.^_`|~=1",
                ";a=b ;c",
                ";a=\"b\";c"
            })
    @DisplayName("7.1.1: extensions that are not known are ignored")
    void extensionIsIgnored(String extension) {
        assertEquals("a", Requests.chunked("1" + extension + "\r\na\r\n" + END));
        assertEquals("", Requests.chunked("0" + extension + "\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";",
                ";;a",
                ";=b",
                ";a=",
                ";a=\"b",
                ";a=\"b\\\"",
                ";a=\"b\"c",
                ";a=b c",
                ";a b",
                ";a=b\u0000",
                ";a=\"\u0000\"",
                ";a=\"\\\u0000\"",
                ";a=b\"",
                ";(",
                ";a=(",
                "a;b=\u00e9",
                ";a=b=c",
                ";a=\"b\n\"",
                ";a\n",
                ";a ",
                ";a=b ",
                ";a=\"b\" ",
                " ",
                ";\u00e9"
            })
    @DisplayName("7.1.1: an extension that breaks the rules is refused")
    void invalidExtensionIsRefused(String extension) {
        String end = Requests.refusedChunks("1" + extension + "\r\na\r\n" + END);

        assertTrue(end.startsWith("400 "), end);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: y\r\n",
                "X:\r\nY: \t\r\n",
                "X: \u00e9\t\r\nX: y\r\n",
                "Content-Length: 7\r\nTransfer-Encoding: gzip\r\nHost: b\r\n"
            })
    @DisplayName("7.1.2, RFC 9110 6.5.1: trailers are dropped, those that frame or route too")
    void trailersAreDropped(String lines) {
        assertEquals("a", Requests.chunked("1\r\na\r\n0\r\n" + lines + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X : y\r\n", ": y\r\n", " X: y\r\n", "X\r\n", "X: y\r\n z\r\n", "X: \u0000\r\n",
                "X: y\n", "X: y\rZ", "X\u00e9: y\r\n", "X: \u007f\r\n", "\nX", "\rX"
            })
    @DisplayName("7.1.2: a trailer keeps the rules of fields")
    void invalidTrailerIsRefused(String lines) {
        assertTrue(Requests.refusedChunks("0\r\n" + lines).startsWith("400 "), lines);
    }

    @Test
    @DisplayName("7.1.1: extensions, zeros and trailers are limited over the whole body")
    void overheadAboveItsLimitIsRefused() {
        String chunk = "1;a=" + "b".repeat(100) + "\r\na\r\n";
        int most = Requests.MOST_OVERHEAD;
        String limit = "400 extensions";

        assertTrue(Requests.refusedChunks(chunk.repeat(10)).startsWith(limit));
        assertTrue(Requests.refusedChunks("0".repeat(most + 2)).startsWith(limit));
        assertTrue(Requests.refusedChunks("0\r\nX:" + "a".repeat(most)).startsWith(limit));
        assertTrue(Requests.refusedChunks("0\r\n" + "X".repeat(most + 1)).startsWith(limit));
        assertTrue(Requests.refusedChunks("0\r\n" + "X:\r\n".repeat(most + 1)).startsWith(limit));
        assertEquals("", Requests.chunked("0\r\nX:" + "a".repeat(most - 1) + "\r\n\r\n"));
    }

    @Test
    @DisplayName("8: a body that breaks off is not whole")
    void bodyThatBreaksOffIsNotWhole() throws MalformedRequestException {
        BodyReader body = BodyReader.of(Requests.post("Transfer-Encoding: chunked\r\n"), 1);
        ByteBuffer source = ByteBuffer.wrap(Requests.bytes("3\r\nabc\r\n0\r\n\r\nGET"));
        source.limit(6);
        body.next(source);

        assertEquals(-1, body.missing());
        source.limit(source.capacity());
        body.next(source);
        body.next(source);
        assertTrue(body.isWhole());
        assertEquals(0, body.missing());
        assertEquals(3, source.remaining());
    }

    @Test
    void limitBelowOneIsRefused() throws MalformedRequestException {
        HttpHead head = Requests.post("Transfer-Encoding: chunked\r\n");

        assertThrows(IllegalArgumentException.class, () -> BodyReader.of(head, 0));
    }
}
