package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a body that is in memory, chunk by chunk. Guarded by its spool's lock.
 *
 * <p>A chunk that was lent belongs to who lent it: it is not copied, and takes nothing of the
 * memory for bodies.
 */
final class SpoolMemory {
    /**
     * Bytes of a body.
     *
     * @param bytes backed by an array, never changed while they are here
     * @param cost what it takes of the memory for bodies, in bytes
     * @param borrower the thread that may read them in place; null when every one may. As long as
     *     they are borrowed they cost nothing
     */
    private record Chunk(ByteBuffer bytes, int cost, @Nullable Thread borrower) {
        /** The bytes for somebody who may keep them. */
        ByteBuffer toKeep() {
            return borrower == null ? bytes.duplicate() : copy(bytes);
        }
    }

    /** Chunks that have been read and may still be referred to; keeps the list short. */
    private static final int MOST_READ_CHUNKS = 16;

    private final SpoolStore store;
    private final long limit;
    private final List<Chunk> chunks = new ArrayList<>(1);
    private int nextChunk;
    private long bytes;

    SpoolMemory(SpoolStore store, long limit) {
        this.store = store;
        this.limit = limit;
    }

    /** Adds a chunk that is not lent; false when there is no memory. */
    boolean add(ByteBuffer source, Handover how) {
        int count = source.remaining();
        if (how == Handover.BORROWED) {
            if (!hasRoom(count)) {
                return false;
            }
            chunks.add(new Chunk(source, 0, Thread.currentThread()));
            return true;
        }
        if (bytes + count > limit || !store.takeMemory(count)) {
            return false;
        }
        bytes += count;
        ByteBuffer kept = how == Handover.COPIED ? copy(source) : source.slice();
        chunks.add(new Chunk(kept, count, null));
        return true;
    }

    /**
     * Copies what was borrowed and has not been read. There was room for it when it was added, and
     * it is no more than one read of a connection.
     */
    void settle() {
        for (int i = nextChunk; i < chunks.size(); i++) {
            Chunk chunk = chunks.get(i);
            if (chunk.borrower() != null) {
                int count = chunk.bytes().remaining();
                store.takeMemoryAnyway(count);
                bytes += count;
                chunks.set(i, new Chunk(chunk.toKeep(), count, null));
            }
        }
    }

    private static ByteBuffer copy(ByteBuffer source) {
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        return ByteBuffer.wrap(bytes);
    }

    /** Adds a chunk as it is. */
    void lend(ByteBuffer source) {
        chunks.add(new Chunk(source.slice(), 0, null));
    }

    /** Whether so many bytes more would fit. */
    boolean hasRoom(int count) {
        return bytes + count <= limit && store.hasMemory(count);
    }

    /** Hands out the next chunk that has not been read; null when there is none. */
    @Nullable ByteBuffer next(boolean keep) {
        return nextChunk == chunks.size() ? null : taken(keep).toKeep();
    }

    /**
     * Hands out the last chunk, in place where it was borrowed by the calling thread; null when
     * there are others, or another length.
     */
    @Nullable ByteBuffer last(long length) {
        if (nextChunk != chunks.size() - 1 || chunks.get(nextChunk).bytes().remaining() != length) {
            return null;
        }
        Chunk chunk = taken(false);
        boolean here = Thread.currentThread().equals(chunk.borrower());
        return here ? chunk.bytes() : chunk.toKeep();
    }

    private Chunk taken(boolean keep) {
        Chunk chunk = chunks.get(nextChunk);
        nextChunk++;
        if (!keep) {
            give(chunk.cost());
            if (nextChunk == chunks.size() || nextChunk == MOST_READ_CHUNKS) {
                chunks.subList(0, nextChunk).clear();
                nextChunk = 0;
            }
        }
        return chunk;
    }

    /** Forgets what has been read and was kept so far. */
    void forgetRead() {
        List<Chunk> read = chunks.subList(0, nextChunk);
        read.forEach(chunk -> give(chunk.cost()));
        read.clear();
        nextChunk = 0;
    }

    void rewind() {
        nextChunk = 0;
    }

    void clear() {
        store.giveMemory(bytes);
        bytes = 0;
        chunks.clear();
        nextChunk = 0;
    }

    private void give(int count) {
        bytes -= count;
        store.giveMemory(count);
    }
}
