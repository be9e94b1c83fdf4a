package org.lrwp.sdk;

import org.lrwp.protocol.LengthField;

import java.io.IOException;
import java.io.OutputStream;

/** An answer as it goes over the wire: length, CGI head, body: docs/protocol.md section 5. */
final class AnswerFrame {
    /** Bytes that go out in one write. */
    static final int ONE_WRITE = 65_536;

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

    /** Writes the whole frame; as one write when it is small. */
    void writeTo(OutputStream out) throws IOException {
        int first = Math.min(body.length, Math.max(0, ONE_WRITE - head.length));
        byte[] start = new byte[head.length + first];
        System.arraycopy(head, 0, start, 0, head.length);
        System.arraycopy(body, 0, start, head.length, first);
        out.write(start);
        if (first < body.length) {
            out.write(body, first, body.length - first);
        }
        out.flush();
    }

    /**
     * Writes the whole frame and ends the connection's output with it. The last byte is held back
     * by Nagle's rule until the end of output joins it, so that the proxy, which may have a next
     * request at hand, hardly ever sees the one without the other.
     */
    void writeLastTo(ProxySocket socket) throws IOException {
        OutputStream out = socket.output();
        socket.holdLast();
        byte[] last = body.length > 0 ? body : head;
        int held = last.length - 1;
        if (body.length > 0) {
            out.write(head);
        }
        out.write(last, 0, held);
        out.write(last, held, 1);
        socket.shutdownOutput();
    }
}
