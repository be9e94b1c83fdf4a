package org.lrwp.webapp.edge;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What a client of HTTP/2 sends first: RFC 9113 section 3.4. */
final class Http2Preface {
    private static final byte[] BYTES =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private Http2Preface() {}

    /** Whether bytes begin with it. */
    static boolean isIn(ByteBuffer source) {
        return source.remaining() >= BYTES.length && isBegun(source);
    }

    /** Whether bytes are as it begins, as far as they have come. */
    static boolean isBegun(ByteBuffer source) {
        int length = Math.min(source.remaining(), BYTES.length);
        for (int i = 0; i < length; i++) {
            if (source.get(source.position() + i) != BYTES[i]) {
                return false;
            }
        }
        return true;
    }
}
