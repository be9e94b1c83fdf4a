package org.lrwp.webapp.edge;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Memory for bodies that come whole with their heads: used again when nobody needs them any more.
 * Each piece is at most twice as long as what it is taken for. One thread only.
 */
final class BodyMemory {
    /** Bytes of the smallest pieces; for less than half of that nothing is kept. */
    private static final int LEAST = 256;

    /** Bytes of the largest ones. */
    private static final int MOST = 8 * 1024;

    /** Bytes that wait to be used again, of each size. */
    private static final int MOST_KEPT = 64 * 1024;

    private final List<Deque<ByteBuffer>> kept = new ArrayList<>();

    BodyMemory() {
        for (int size = LEAST; size <= MOST; size *= 2) {
            kept.add(new ArrayDeque<>());
        }
    }

    /**
     * Takes memory.
     *
     * @param bytes that are needed
     * @return a buffer of an array, with room for that many; its other bytes are of others
     */
    ByteBuffer take(int bytes) {
        int size = Math.max(LEAST, Integer.highestOneBit(Math.max(1, bytes - 1)) * 2);
        if (bytes <= LEAST / 2 || size > MOST) {
            return ByteBuffer.allocate(bytes);
        }
        ByteBuffer known = of(size).pollLast();
        return (known == null ? ByteBuffer.allocate(size) : known.clear()).limit(bytes);
    }

    /**
     * Takes memory back.
     *
     * @param unused a buffer of {@link #take} that nothing refers to
     */
    void give(ByteBuffer unused) {
        int size = unused.capacity();
        if (size >= LEAST && size <= MOST && Integer.bitCount(size) == 1) {
            Deque<ByteBuffer> same = of(size);
            if (same.size() < MOST_KEPT / size) {
                same.addLast(unused);
            }
        }
    }

    private Deque<ByteBuffer> of(int size) {
        return kept.get(Integer.numberOfTrailingZeros(size / LEAST));
    }
}
