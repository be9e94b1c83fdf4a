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
        return ready;
    }

    @Override
    public void setWriteListener(WriteListener writeListener) {
        listener = writeListener;
    }

    @Override
    public void flush() {
        flushes++;
    }

    @Override
    public void write(int value) throws IOException {
        if (gone) {
            throw new IOException("gone");
        }
        taken.write(value);
    }
}
