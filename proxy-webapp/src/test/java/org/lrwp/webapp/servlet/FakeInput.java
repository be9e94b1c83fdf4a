package org.lrwp.webapp.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;

/** A request body that arrives when the test says so. */
final class FakeInput extends ServletInputStream {
    private final Queue<Byte> bytes = new ArrayDeque<>();
    private boolean ended;
    private boolean broken;
    int asked;
    @Nullable ReadListener listener;

    /** What others do while somebody is in the middle of reading. */
    Runnable whileRead = () -> {};

    void arrive(String text) throws IOException {
        for (byte value : text.getBytes(StandardCharsets.US_ASCII)) {
            bytes.add(value);
        }
        if (listener != null) {
            listener.onDataAvailable();
        }
    }

    void end() throws IOException {
        ended = true;
        if (listener != null) {
            listener.onAllDataRead();
        }
    }

    void breakOff() {
        broken = true;
        if (listener != null) {
            listener.onError(new IOException("gone"));
        }
    }

    void failToRead() {
        broken = true;
    }

    int unread() {
        return bytes.size();
    }

    @Override
    public int available() {
        return bytes.size();
    }

    @Override
    public boolean isFinished() {
        return ended && bytes.isEmpty();
    }

    @Override
    public boolean isReady() {
        asked++;
        return ended || broken || !bytes.isEmpty();
    }

    @Override
    public void setReadListener(ReadListener readListener) {
        listener = readListener;
        try {
            if (!bytes.isEmpty()) {
                arrive("");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int read() throws IOException {
        if (broken) {
            throw new IOException("gone");
        }
        Byte next = bytes.poll();
        return next == null ? -1 : next;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        whileRead.run();
        int count = 0;
        while (count < length && !bytes.isEmpty()) {
            buffer[offset + count++] = (byte) read();
        }
        return count == 0 ? read() : count;
    }
}
