package org.lrwp.webapp.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A client that takes bytes when the test says so. */
final class FakeOutput extends ServletOutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private boolean ready = true;
    private boolean gone;

    /** Whether each write and flush must be asked for, and be waited for. */
    boolean strict;

    private boolean asked;
    int flushes;
    @Nullable WriteListener listener;

    String text() {
        return taken.toString(StandardCharsets.US_ASCII);
    }

    int size() {
        return taken.size();
    }

    void block() {
        ready = false;
    }

    void unblock() throws IOException {
        ready = true;
        if (listener != null) {
            listener.onWritePossible();
        }
    }

    void leave() {
        gone = true;
    }

    void tellGone() {
        if (listener != null) {
            listener.onError(new IOException("gone"));
        }
    }

    @Override
    public boolean isReady() {
        asked = ready;
        return ready;
    }

    @Override
    public void setWriteListener(WriteListener writeListener) {
        listener = writeListener;
    }

    @Override
    public void flush() {
        use();
        flushes++;
    }

    private void use() {
        if (strict && (!asked || listener == null)) {
            throw new IllegalStateException("it would wait for the client");
        }
        if (strict) {
            asked = false;
            ready = false;
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        use();
        for (int i = offset; i < offset + count; i++) {
            write(bytes[i]);
        }
    }

    @Override
    public void write(int value) throws IOException {
        if (gone) {
            throw new IOException("gone");
        }
        taken.write(value);
    }
}
