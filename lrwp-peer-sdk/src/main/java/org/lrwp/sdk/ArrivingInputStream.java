package org.lrwp.sdk;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** A body as a stream for a blocking handler. Not thread-safe. */
final class ArrivingInputStream extends InputStream {
    private final IncomingBody body;
    private long left;

    /**
     * Creates a stream.
     *
     * @param limit most octets; reading beyond them fails
     */
    ArrivingInputStream(IncomingBody body, long limit) {
        this.body = body;
        this.left = limit;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        int taken = body.read(target, offset, count);
        left -= Math.max(0, taken);
        if (left < 0) {
            throw new BodyTooLargeException();
        }
        return taken;
    }

    @Override
    public int available() {
        return body.available();
    }
}
