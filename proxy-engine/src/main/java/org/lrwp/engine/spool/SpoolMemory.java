package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * The part of a body that is in memory, chunk by chunk. Guarded by its spool's lock.
 *
 * <p>A chunk that was lent belongs to who lent it: it is not copied, and takes nothing of the
 * memory for bodies.
 */
final class SpoolMemory {
    /** Bytes of a body: backed by an array, never changed while they are here. */
    private static final class Chunk {
        private ByteBuffer bytes;

        /** What it takes of the memory for bodies, in bytes; nothing while it is borrowed. */
        private int cost;

        /** The thread that may read it in place; null when every one may. */
        private @Nullable Thread borrower;

        private @Nullable Chunk next;

        Chunk(ByteBuffer bytes, int cost, @Nullable Thread borrower) {
            this.bytes = bytes;
            this.cost = cost;
            this.borrower = borrower;
        }

        /** The bytes for somebody who may keep them. */
        ByteBuffer toKeep() {
            return borrower == null ? bytes.duplicate() : copy(bytes);
        }
    }

    private final SpoolSpace space;

    /** The oldest one that is kept. */
    private @Nullable Chunk first;

    private @Nullable Chunk last;

    /** The oldest one that has not been read. */
    private @Nullable Chunk unread;

    private long bytes;

    SpoolMemory(SpoolSpace space) {
        this.space = space;
    }

    /** Adds a chunk that is not lent; false when there is no memory. */
    boolean add(ByteBuffer source, Handover how) {
        int count = source.remaining();
        if (how == Handover.BORROWED) {
            if (!hasRoom(count)) {
                return false;
            }
            add(new Chunk(source, 0, Thread.currentThread()));
            return true;
        }
        if (bytes + count > space.config().memoryPerBody() || !space.takeMemory(count)) {
            return false;
        }
        bytes += count;
        add(new Chunk(how == Handover.COPIED ? copy(source) : source, count, null));
        return true;
    }

    private void add(Chunk chunk) {
        Chunk before = last;
        if (before == null) {
            first = chunk;
        } else {
            before.next = chunk;
        }
        last = chunk;
        unread = unread == null ? chunk : unread;
    }

    /**
     * Copies what was borrowed and has not been read. There was room for it when it was added, and
     * it is no more than one read of a connection.
     */
    void settle() {
        for (Chunk chunk = unread; chunk != null; chunk = chunk.next) {
            if (chunk.borrower != null) {
                chunk.bytes = copy(chunk.bytes);
                chunk.borrower = null;
                chunk.cost = chunk.bytes.remaining();
                space.takeMemoryAnyway(chunk.cost);
                bytes += chunk.cost;
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
        add(new Chunk(source.slice(), 0, null));
    }

    /** Whether so many bytes more would fit. */
    boolean hasRoom(int count) {
        return bytes + count <= space.config().memoryPerBody() && space.hasMemory(count);
    }

    /** Hands out the next chunk that has not been read; null when there is none. */
    @Nullable ByteBuffer next(boolean keep) {
        Chunk chunk = unread;
        if (chunk == null) {
            return null;
        }
        taken(chunk, keep);
        return chunk.toKeep();
    }

    /**
     * Hands out the last chunk, in place where it was borrowed by the calling thread; null when
     * there are others, or another length.
     */
    @Nullable ByteBuffer last(long length) {
        Chunk chunk = unread;
        if (chunk == null || chunk.next != null || chunk.bytes.remaining() != length) {
            return null;
        }
        taken(chunk, false);
        boolean here = Thread.currentThread().equals(chunk.borrower);
        return here ? chunk.bytes : chunk.toKeep();
    }

    private void taken(Chunk chunk, boolean keep) {
        unread = chunk.next;
        if (!keep) {
            give(chunk.cost);
            forgetBefore(chunk.next);
        }
    }

    /** Forgets what has been read and was kept so far. */
    void forgetRead() {
        for (Chunk chunk = first; chunk != null && chunk != unread; chunk = chunk.next) {
            give(chunk.cost);
        }
        forgetBefore(unread);
    }

    private void forgetBefore(@Nullable Chunk oldest) {
        first = oldest;
        if (oldest == null) {
            last = null;
        }
    }

    void rewind() {
        unread = first;
    }

    void clear() {
        space.giveMemory(bytes);
        bytes = 0;
        first = null;
        last = null;
        unread = null;
    }

    private void give(int count) {
        bytes -= count;
        space.giveMemory(count);
    }
}
