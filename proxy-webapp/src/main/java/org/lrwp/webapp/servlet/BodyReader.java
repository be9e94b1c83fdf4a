package org.lrwp.webapp.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the body of a request as it arrives. The container calls the listener's methods; all others
 * are called in the client's turns.
 */
final class BodyReader implements ReadListener {
    /** Takes octets of a body; says whether it wants more. */
    @FunctionalInterface
    interface Sink {
        boolean take(ByteBuffer octets);
    }

    private static final int MOST_AT_ONCE = 16 * 1024;

    private final ServletInputStream in;
    private final Turns turns;
    private final byte[] buffer;
    private volatile boolean readable;
    private volatile boolean whole;
    private volatile @Nullable Throwable broken;
    private long octets;

    /**
     * Creates a reader.
     *
     * @param in where the body comes from
     * @param turns told when there is something to do
     * @param length octets of the body; -1 when unknown
     */
    BodyReader(ServletInputStream in, Turns turns, long length) {
        this.in = in;
        this.turns = turns;
        this.buffer = new byte[length < 0 ? MOST_AT_ONCE : Math.clamp(length, 1, MOST_AT_ONCE)];
    }

    void start() {
        in.setReadListener(this);
    }

    @Override
    public void onDataAvailable() {
        readable = true;
        turns.ask();
    }

    @Override
    public void onAllDataRead() {
        whole = true;
        turns.ask();
    }

    @Override
    public void onError(Throwable reason) {
        broken = reason;
        turns.ask();
    }

    /** Whether the whole body has been read. */
    boolean isWhole() {
        return whole;
    }

    /** Whether the rest will never come. */
    boolean isBroken() {
        return broken != null;
    }

    /** Octets read so far. */
    long octets() {
        return octets;
    }

    /** Reads what is there. */
    void read(Sink sink) {
        if (!readable || whole || isBroken()) {
            return;
        }
        // Before isReady(): once that says no, the container may call at any moment.
        readable = false;
        try {
            while (in.isReady()) {
                int count = in.read(buffer);
                if (count < 0) {
                    break;
                }
                octets += count;
                if (!sink.take(ByteBuffer.wrap(buffer, 0, count))) {
                    readable = true;
                    return;
                }
            }
        } catch (IOException e) {
            broken = e;
        }
    }
}
