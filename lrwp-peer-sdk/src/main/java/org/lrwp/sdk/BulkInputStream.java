package org.lrwp.sdk;

import java.io.IOException;
import java.io.InputStream;

/** A stream that is read in pieces; one byte is a piece of one. */
abstract sealed class BulkInputStream extends InputStream
        permits ArrivingInputStream, BodyInputStream {
    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public abstract int read(byte[] target, int offset, int count) throws IOException;
}
