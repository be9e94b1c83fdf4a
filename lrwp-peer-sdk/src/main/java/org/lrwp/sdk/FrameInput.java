package org.lrwp.sdk;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * What arrives on a connection, with a buffer that outlives the handshake: the first request may
 * come in the same segment as the acknowledgement. Used by the connection's thread only.
 */
final class FrameInput {
    private static final int BUFFER_SIZE = 16_384;

    /** Below so many bytes a read fills the buffer, so that reading singly stays cheap. */
    private static final int SMALL_READ = 4_096;

    private final ProxySocket socket;
    private final InputStream in;
    private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE).flip();

    FrameInput(ProxySocket socket) throws IOException {
        this.socket = socket;
        this.in = socket.input();
    }

    /** Returns what has arrived and is not taken yet. */
    ByteBuffer arrived() {
        return buffer;
    }

    /**
     * Waits for more bytes; only when all have been taken.
     *
     * @return false at the end of input
     */
    boolean fill() throws IOException {
        int count = in.read(buffer.array());
        buffer.position(0).limit(Math.max(0, count));
        return count > 0;
    }

    /** Makes the buffer larger; what has arrived stays. */
    void enlarge(int size) {
        if (size > buffer.capacity()) {
            buffer = ByteBuffer.allocate(size).put(buffer).flip();
        }
    }

    /** Waits for more bytes where the end of input breaks something off. */
    void require(String part) throws IOException {
        if (!fill()) {
            throw new EOFException("the proxy closed the connection within " + part);
        }
    }

    /** Reads up to {@code count} bytes, large ones past the buffer. */
    int read(byte[] target, int offset, int count) throws IOException {
        if (!buffer.hasRemaining() && count < SMALL_READ && !fill()) {
            return -1;
        }
        if (buffer.hasRemaining()) {
            int taken = Math.min(count, buffer.remaining());
            buffer.get(target, offset, taken);
            return taken;
        }
        return in.read(target, offset, count);
    }

    /** Says how long one wait for bytes may take; zero means for ever. */
    void waitAtMost(Duration time) throws IOException {
        socket.waitAtMost(time);
    }
}
