package org.lrwp.engine.transport.tls;

import java.nio.ByteBuffer;

/** Bytes that wait for their turn, in their order. The link's loop only. */
final class KeptBytes {
    /** Room is taken in steps of this many bytes. */
    private static final int STEP = 4096;

    private ByteBuffer bytes = ByteBuffer.allocate(0);

    boolean isEmpty() {
        return !bytes.hasRemaining();
    }

    /** Returns the bytes; whoever takes some moves the position. */
    ByteBuffer view() {
        return bytes;
    }

    /** Adds all that is left of a buffer. */
    void keep(ByteBuffer rest) {
        if (!rest.hasRemaining()) {
            return;
        }
        int needed = bytes.remaining() + rest.remaining();
        if (needed > bytes.capacity()) {
            int steps = (needed + STEP - 1) / STEP;
            bytes = ByteBuffer.allocate(steps * STEP).put(bytes);
        } else {
            bytes.compact();
        }
        bytes.put(rest).flip();
    }

    /** Moves as many bytes as fit. */
    void drainTo(ByteBuffer target) {
        int count = Math.min(bytes.remaining(), target.remaining());
        target.put(target.position(), bytes, bytes.position(), count);
        target.position(target.position() + count);
        bytes.position(bytes.position() + count);
    }
}
