package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;

/** Requests of tests, written with one character per byte. */
final class Requests {
    static final String HOST = "Host: a\r\n";
    static final String NEXT = "GET /next HTTP/1.1\r\nHost: next\r\n\r\n";
    static final int MOST_BYTES = 8192;
    static final int MOST_FIELDS = 100;
    static final int MOST_OVERHEAD = 1024;

    private Requests() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static HeadReader reader() {
        return new HeadReader(MOST_BYTES, MOST_FIELDS);
    }

    /** The head of a whole request, behind which nothing follows. */
    static HttpHead head(String text) throws MalformedRequestException {
        byte[] bytes = bytes(text);
        HeadReader reader = reader();
        HttpHead head = reader.read(bytes, 0, bytes.length);
        if (head == null) {
            throw new AssertionError("head is not whole: " + text);
        }
        assertEquals(bytes.length, reader.length());
        return head;
    }

    /** A GET with these lines of fields, each with its CR LF, beside Host. */
    static HttpHead withFields(String lines) throws MalformedRequestException {
        return head("GET / HTTP/1.1\r\n" + HOST + lines + "\r\n");
    }

    /** A POST with these lines of fields, each with its CR LF, beside Host. */
    static HttpHead post(String lines) throws MalformedRequestException {
        return head("POST / HTTP/1.1\r\n" + HOST + lines + "\r\n");
    }

    /** The status that the head, or a part of it, is refused with. */
    static int refused(String text) {
        byte[] bytes = bytes(text);
        HeadReader reader = reader();
        return assertThrows(
                        MalformedRequestException.class,
                        () -> reader.read(bytes, 0, bytes.length),
                        text)
                .status();
    }

    static int refusedFields(String lines) {
        return refused("GET / HTTP/1.1\r\n" + HOST + lines + "\r\n");
    }

    /** The body of a request in these chunks, behind which another request follows. */
    static String chunked(String chunks) {
        Conversation all =
                Conversation.read(
                        bytes(
                                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        + chunks
                                        + NEXT));
        assertEquals(2, all.messages().size(), all + " " + chunks);
        assertEquals("/next", all.messages().get(1).target());
        return all.messages().getFirst().body();
    }

    /** What the reader says of chunks that break a rule. */
    static String refusedChunks(String chunks) {
        Conversation all =
                Conversation.read(
                        bytes(
                                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        + chunks));
        assertEquals(0, all.messages().size(), all + " " + chunks);
        return all.end();
    }
}
