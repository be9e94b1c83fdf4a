package org.lrwp.systemtests.harness;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A chunked body as it comes; its end without the last chunk is an error. */
final class ChunkedBody extends InputStream {
    private final RawHttp client;
    private int left;
    private boolean over;

    ChunkedBody(RawHttp client) throws IOException {
        this.client = client;
        nextChunk();
    }

    private void nextChunk() throws IOException {
        left = Integer.parseInt(client.line(), 16);
        over = left == 0;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (over) {
            return -1;
        }
        byte[] got = client.wire().readSome(Math.min(left, length));
        if (got.length == 0) {
            throw new EOFException("cut with " + left + " bytes of a chunk to come");
        }
        System.arraycopy(got, 0, bytes, offset, got.length);
        left -= got.length;
        if (left == 0) {
            if (!client.line().isEmpty()) {
                throw new AssertionError("a chunk without its end");
            }
            nextChunk();
        }
        return got.length;
    }
}
