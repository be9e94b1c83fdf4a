package org.lrwp.webapp.glassfish;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The body of a request as it comes. The client is read again when all that has come was taken, and
 * who takes it asks for more: so at most one read waits here, and the client is held back by its
 * own connection. One thread at a time; {@link #missing} any.
 */
final class DirectInput extends ServletInputStream {
    private final DirectClient client;
    private ByteBuffer octets;
    private @Nullable ReadListener listener;
    private volatile long missing;

    /** Somebody wants more than has come. */
    private volatile boolean awaited;

    /**
     * Creates a body.
     *
     * @param client who sends it
     * @param length octets of all of it
     * @param begin what has come with the head; it is copied
     */
    DirectInput(DirectClient client, long length, ByteBuffer begin) {
        this.client = client;
        this.missing = length - begin.remaining();
        this.octets = copy(begin);
    }

    /** Who reads on after a pause may be another thread, and the buffer in use again. */
    private static ByteBuffer copy(ByteBuffer source) {
        return ByteBuffer.allocate(source.remaining()).put(source).flip();
    }

    /** Octets that have not come. */
    long missing() {
        return missing;
    }

    // ---- The client, on its loop, after it was asked for more.

    /** Octets have come; they are copied. */
    void come(ByteBuffer more) {
        awaited = false;
        long left = missing - more.remaining();
        octets = copy(more);
        missing = left;
        tell();
        tellEnd();
    }

    /** The rest will never come. */
    void breakOff(IOException why) {
        ReadListener told = listener;
        if (told != null) {
            told.onError(why);
        }
    }

    private void tell() {
        ReadListener told = listener;
        if (told != null) {
            try {
                told.onDataAvailable();
            } catch (IOException e) {
                told.onError(e);
            }
        }
    }

    // ---- The reader.

    @Override
    public boolean isFinished() {
        return missing == 0 && !octets.hasRemaining();
    }

    /** Asks the client for more when nothing is left. */
    @Override
    public boolean isReady() {
        if (octets.hasRemaining()) {
            return true;
        }
        if (missing > 0) {
            await();
        }
        return false;
    }

    private void await() {
        if (!awaited) {
            awaited = true;
            client.awaitOctets();
        }
    }

    /** Tells, once, that nothing more comes. */
    private void tellEnd() {
        ReadListener told = missing == 0 ? listener : null;
        if (told != null) {
            listener = null;
            try {
                told.onAllDataRead();
            } catch (IOException e) {
                told.onError(e);
            }
        }
    }

    @Override
    public void setReadListener(ReadListener told) {
        listener = told;
        tell();
        tellEnd();
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
