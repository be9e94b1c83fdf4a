package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * The bytes of one body: in memory, then in a file. What is in memory is always older than what is
 * unread in the file, so order is kept by adding to memory only while the file has nothing unread.
 * Guarded by its spool's lock.
 */
final class SpoolContent {
    private static final int READ_SIZE = 64 * 1024;

    /** Bytes that may wait for the disk until who adds has to wait too. */
    private static final int MOST_BACKLOG = 256 * 1024;

    private final SpoolSpace space;
    private final SpoolMemory memory;
    private @Nullable SpoolFile file;

    SpoolContent(SpoolSpace space) {
        this.space = space;
        this.memory = new SpoolMemory(space);
    }

    /**
     * Adds bytes; of a body that is kept, memory is not used again once there is a file.
     *
     * @return false, and nothing was added, when they need a file and there is none
     */
    boolean add(ByteBuffer bytes, boolean kept, Handover how) throws NoSpaceException {
        boolean nothingUnread = fileUnread() == 0;
        if (how == Handover.LENT && nothingUnread) {
            memory.lend(bytes);
            return true;
        }
        boolean memoryIsNext = nothingUnread && !(kept && file != null);
        if (memoryIsNext && memory.add(bytes, how)) {
            return true;
        }
        if (file == null) {
            return false;
        }
        append(file, bytes, kept);
        return true;
    }

    /** Adds bytes to a new file, and from now on all that memory does not take. */
    void spill(SpoolFile to, ByteBuffer bytes, boolean kept) throws NoSpaceException {
        file = to;
        append(to, bytes, kept);
    }

    private static void append(SpoolFile to, ByteBuffer bytes, boolean kept)
            throws NoSpaceException {
        // Whoever was told that an answer has room may add one read more than the limit.
        to.append(bytes, !kept);
    }

    /** The next bytes; null when there are none, or the disk has not given them yet. */
    @Nullable ByteBuffer next(boolean kept) {
        ByteBuffer chunk = memory.next(kept);
        if (chunk != null || file == null) {
            return chunk;
        }
        ByteBuffer bytes = file.poll();
        if (bytes != null && !kept && file.unread() == 0) {
            file.recycle();
        }
        return bytes;
    }

    /** All that has not been read, when that is one chunk of such a length; else null. */
    @Nullable ByteBuffer last(long length) {
        return fileUnread() == 0 ? memory.last(length) : null;
    }

    /** Copies what was borrowed and has not been read. */
    void settle() {
        memory.settle();
    }

    /** The file, if a disk thread has to be called for it. */
    @Nullable SpoolFile fileToWork() {
        SpoolFile now = file;
        return now != null && now.start() ? now : null;
    }

    long fileUnread() {
        return file == null ? 0 : file.unread();
    }

    /** Whether the disk keeps up with who adds. */
    boolean keepsUp() {
        return file == null || file.backlog() < MOST_BACKLOG;
    }

    /** Whether one more read can be kept. */
    boolean hasRoom() {
        boolean inMemory = fileUnread() == 0 && memory.hasRoom(READ_SIZE);
        return keepsUp() && (inMemory || space.hasDisk(READ_SIZE));
    }

    /** Forgets what has been read and was kept so far. */
    void forgetRead() {
        memory.forgetRead();
    }

    void rewind() {
        memory.rewind();
        if (file != null) {
            file.rewind();
        }
    }

    /** Forgets everything; the file that a disk thread has to be called for, if there is one. */
    @Nullable SpoolFile clear() {
        memory.clear();
        SpoolFile last = file;
        file = null;
        if (last == null) {
            return null;
        }
        last.close();
        return last.start() ? last : null;
    }
}
