package org.lrwp.sdk;

import org.lrwp.protocol.LengthField;

import java.io.IOException;
import java.io.OutputStream;

/** An answer as it goes over the wire: length, CGI head, body: docs/protocol.md section 5. */
final class AnswerFrame {
    /** Bytes that go out in one write. */
    static final int ONE_WRITE = 65_536;

    /** Bytes of one of several writes: how long the proxy takes for them is looked at apart. */
    private static final int PART = 262_144;

    private final byte[] head;
    private final byte[] body;

    private AnswerFrame(byte[] head, byte[] body) {
        this.head = head;
        this.body = body;
    }

    /**
     * Encodes an answer. It is never empty, because it always says its status.
     *
     * @throws IllegalArgumentException when head and body pass what nine digits can say
     */
    static AnswerFrame of(PeerResponse response) {
        return of(ResponseHead.encode(response.status(), response.headers()), response.body());
    }

    /** Encodes an answer whose CGI head is there already. */
    static AnswerFrame of(byte[] cgi, byte[] body) {
        byte[] head = new byte[LengthField.SIZE + cgi.length];
        LengthField.write((long) cgi.length + body.length, head, 0);
        System.arraycopy(cgi, 0, head, LengthField.SIZE, cgi.length);
        return new AnswerFrame(head, body);
    }

    /**
     * Writes the whole frame; as one write when it is small.
     *
     * @param before called before each write
     */
    void writeTo(OutputStream out, Runnable before) throws IOException {
        int first = Math.min(body.length, Math.max(0, ONE_WRITE - head.length));
        byte[] start = new byte[head.length + first];
        System.arraycopy(head, 0, start, 0, head.length);
        System.arraycopy(body, 0, start, head.length, first);
        before.run();
        out.write(start);
        write(body, first, body.length, out, before);
        out.flush();
    }

    private static void write(byte[] bytes, int from, int to, OutputStream out, Runnable before)
            throws IOException {
        for (int at = from; at < to; at += PART) {
            before.run();
            out.write(bytes, at, Math.min(PART, to - at));
        }
    }

    /**
     * Writes the whole frame and ends the connection's output with it. The last byte is held back
     * by Nagle's rule until the end of output joins it, so that the proxy, which may have a next
     * request at hand, hardly ever sees the one without the other.
     *
     * @param before called before each write
     */
    void writeLastTo(ProxySocket socket, Runnable before) throws IOException {
        OutputStream out = socket.output();
        socket.holdLast();
        byte[] last = body.length > 0 ? body : head;
        int held = last.length - 1;
        before.run();
        if (body.length > 0) {
            out.write(head);
        }
        write(last, 0, held, out, before);
        out.write(last, held, 1);
        socket.shutdownOutput();
    }
}
