package org.lrwp.sdk;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** Bytes of an answer that wait to be written, as they were given. Not thread-safe. */
final class PendingBytes {
    private final ArrayDeque<ByteBuffer> chunks = new ArrayDeque<>();
    private long size;

    /** Adds bytes; not copied. */
    void add(ByteBuffer bytes) {
        if (bytes.hasRemaining()) {
            chunks.add(bytes.slice());
            size += bytes.remaining();
        }
    }

    long size() {
        return size;
    }

    void clear() {
        chunks.clear();
        size = 0;
    }

    /** Moves the first bytes into a batch. */
    void move(ByteBuffer batch, int count) {
        size -= count;
        int left = count;
        while (left > 0) {
            ByteBuffer chunk = chunks.getFirst();
            int part = Math.min(left, chunk.remaining());
            batch.put(chunk.slice(chunk.position(), part));
            chunk.position(chunk.position() + part);
            left -= part;
            if (!chunk.hasRemaining()) {
                chunks.removeFirst();
            }
        }
    }
}
