package org.lrwp.sdk;

import java.io.IOException;
import java.io.OutputStream;

/** The peer's direction of a tunnel: what is flushed goes out; its end ends nothing else. */
final class TunnelOutput extends OutputStream {
    private static final byte[] NO_HEAD = {};

    private final AnswerOutput out;
    private boolean closed;

    TunnelOutput(AnswerStream answer) {
        out = new AnswerOutput(answer, NO_HEAD);
    }

    @Override
    public void write(int value) throws IOException {
        checkOpen();
        out.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        checkOpen();
        out.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
        if (!closed) {
            out.flush();
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("this direction has been ended");
        }
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            out.flush();
            out.finish();
        }
    }
}
