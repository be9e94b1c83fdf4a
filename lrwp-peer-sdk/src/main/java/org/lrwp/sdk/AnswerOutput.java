package org.lrwp.sdk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The body of a streamed answer: what is flushed goes out as a frame. The head goes with the first
 * one. Not thread-safe.
 */
final class AnswerOutput extends OutputStream {
    private final AnswerStream answer;
    private final byte[] head;
    private final byte[] buffer = new byte[FrameWriter.CUT];
    private int count;
    private boolean begun;

    AnswerOutput(AnswerStream answer, byte[] head) {
        this.answer = answer;
        this.head = head;
    }

    boolean hasBegun() {
        return begun;
    }

    @Override
    public void write(int value) throws IOException {
        if (count == buffer.length) {
            flush();
        }
        buffer[count++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int from = offset;
        int left = length;
        while (left > 0) {
            if (count == buffer.length) {
                flush();
            }
            int part = Math.min(left, buffer.length - count);
            System.arraycopy(bytes, from, buffer, count, part);
            count += part;
            from += part;
            left -= part;
        }
    }

    @Override
    public void flush() throws IOException {
        answer.awaitRoom();
        if (count > 0 || !begun) {
            send(false);
        }
    }

    /** Ends the answer. */
    void finish() {
        send(true);
    }

    private void send(boolean complete) {
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(buffer, count));
        answer.send(begun ? null : head, bytes, complete);
        begun = true;
        count = 0;
    }
}
