package org.lrwp.webapp.container;

import java.nio.ByteBuffer;

/** What a client of HTTP/2 sends. */
final class Http2Bytes {
    private static final int HEAD = 9;

    private Http2Bytes() {}

    /** A frame of nothing but zeros. */
    static byte[] frame(int type, int flags, int stream, int length) {
        return frame(type, flags, stream, new byte[length]);
    }

    /** A frame. */
    static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(HEAD + payload.length)
                .putInt(payload.length << Byte.SIZE | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }
}
