package org.lrwp.sdk;

import java.io.IOException;
import java.util.Objects;

/** A body as a stream for a blocking handler. Not thread-safe. */
final class ArrivingInputStream extends BulkInputStream {
    private final IncomingBody body;
    private long left;

    /**
     * Creates a stream.
     *
     * @param limit most bytes; reading beyond them fails
     */
    ArrivingInputStream(IncomingBody body, long limit) {
        this.body = body;
        this.left = limit;
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
