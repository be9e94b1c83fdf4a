package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;

/**
 * The body of one request, out of the connection it comes on. Ends where the body ends; after the
 * handler has returned it gives nothing more. Not thread-safe.
 */
final class BodyInputStream extends BulkInputStream {
    private static final int DRAIN_SIZE = 16_384;

    private final FrameInput in;
    private long remaining;
    private boolean over;
    private @Nullable IOException failure;

    BodyInputStream(FrameInput in, long length) {
        this.in = in;
        this.remaining = length;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        if (over) {
            throw new IOException("the request is over");
        }
        return take(target, offset, count);
    }

    @Override
    public int available() {
        return over ? 0 : (int) Math.min(remaining, in.arrived().remaining());
    }

    private int take(byte[] target, int offset, int count) throws IOException {
        throwFailure();
        if (count == 0) {
            return 0;
        }
        if (remaining == 0) {
            return -1;
        }
        try {
            int taken = in.read(target, offset, (int) Math.min(count, remaining));
            if (taken < 0) {
                throw new EOFException("the proxy closed the connection within a body");
            }
            remaining -= taken;
            return taken;
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Says that the handler has returned, and drops what it left unread. */
    void finish() throws IOException {
        over = true;
        if (remaining > 0) {
            byte[] dropped = new byte[(int) Math.min(DRAIN_SIZE, remaining)];
            while (take(dropped, 0, dropped.length) > 0) {
                // What the handler did not want stands before the next request.
            }
        }
        throwFailure();
    }

    /** Throws what reading the connection has thrown before, if it has. */
    void throwFailure() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}
