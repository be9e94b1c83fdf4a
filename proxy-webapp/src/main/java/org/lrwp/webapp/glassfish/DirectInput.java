package org.lrwp.webapp.glassfish;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The body of a request, all of which has come. One thread at a time. */
final class DirectInput extends ServletInputStream {
    private final ByteBuffer octets;
    private @Nullable ReadListener listener;

    /**
     * Copies the body: who reads on after a pause may be another thread, and the buffer in use
     * again.
     */
    DirectInput(ByteBuffer body) {
        octets = ByteBuffer.allocate(body.remaining()).put(body).flip();
    }

    @Override
    public boolean isFinished() {
        return !octets.hasRemaining();
    }

    /** Tells the end to its listener, once, when there is nothing more to read. */
    @Override
    public boolean isReady() {
        if (octets.hasRemaining()) {
            return true;
        }
        ReadListener told = listener;
        listener = null;
        if (told != null) {
            try {
                told.onAllDataRead();
            } catch (IOException e) {
                told.onError(e);
            }
        }
        return false;
    }

    @Override
    public void setReadListener(ReadListener told) {
        listener = told;
        try {
            told.onDataAvailable();
        } catch (IOException e) {
            told.onError(e);
        }
    }

    @Override
    public int available() {
        return octets.remaining();
    }

    @Override
    public int read() {
        return octets.hasRemaining() ? octets.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (!octets.hasRemaining()) {
            return -1;
        }
        int count = Math.min(length, octets.remaining());
        octets.get(target, offset, count);
        return count;
    }
}
