package org.lrwp.sdk.httpserver;

import org.lrwp.protocol.HeaderField;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The body of an answer: what is flushed is on its way to the client. The head goes with the first
 * part, or with all of it. Not thread-safe.
 */
final class AnswerBody extends OutputStream {
    private final ExchangeFlow flow;
    private final int status;
    private final List<HeaderField> fields;
    private final byte[] buffer = new byte[16_384];
    private final boolean bounded;
    private long left;
    private int count;
    private boolean begun;
    private boolean closed;

    /**
     * Creates an answer of which nothing has been sent.
     *
     * @param length of its body; {@link Long#MAX_VALUE} when nobody knows
     */
    AnswerBody(ExchangeFlow flow, int status, List<HeaderField> fields, long length) {
        this.flow = flow;
        this.status = status;
        this.fields = fields;
        this.left = length;
        this.bounded = length != Long.MAX_VALUE;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (closed) {
            throw new IOException("stream closed");
        }
        if (length > left) {
            throw new IOException("too many bytes to write to stream");
        }
        left -= length;
        int from = offset;
        int rest = length;
        while (rest > 0) {
            if (count == buffer.length) {
                send();
            }
            int part = Math.min(rest, buffer.length - count);
            System.arraycopy(bytes, from, buffer, count, part);
            count += part;
            from += part;
            rest -= part;
        }
    }

    @Override
    public void flush() throws IOException {
        if (!closed) {
            send();
        }
    }

    private void send() throws IOException {
        if (!begun) {
            begun = true;
            flow.exchange().respond(status, fields);
        }
        if (count > 0) {
            flow.write(taken());
        }
    }

    private ByteBuffer taken() {
        ByteBuffer part = ByteBuffer.wrap(Arrays.copyOf(buffer, count));
        count = 0;
        return part;
    }

    /** Ends the answer; one that misses bytes of its length has failed. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (bounded && left > 0) {
            throw new IOException("insufficient bytes written");
        }
        if (begun) {
            send();
            flow.exchange().complete();
        } else {
            flow.exchange().answer(status, fields, taken());
        }
    }
}
