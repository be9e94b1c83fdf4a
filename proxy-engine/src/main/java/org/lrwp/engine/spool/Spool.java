package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One body between who sends it and who reads it: in memory up to a limit, then in a temporary
 * file.
 *
 * <p>Purpose: neither side ever waits for the other. Design: a list of chunks in memory, then a
 * file. What is in memory is always older than what is unread in the file, so order is kept by
 * adding to memory only while the file has nothing unread. A request's spool keeps everything for a
 * second attempt, but one that is {@link #stream streamed} only as long as all of it fits in
 * memory; an answer's forgets what has been read. Reading and writing the file is done by the
 * calling thread.
 *
 * <p>Thread-safe. The listeners are called without the lock, by the thread that caused them; they
 * may be called more often than there is something to do.
 */
public final class Spool implements AutoCloseable {
    /** How a body ends. */
    public enum Ending {
        /** More octets are there or may come. */
        OPEN,
        /** All octets have been read. */
        COMPLETE,
        /** The rest will never come. */
        BROKEN
    }

    private enum Source {
        OPEN,
        COMPLETE,
        BROKEN,
        CLOSED
    }

    private static final int READ_SIZE = 64 * 1024;

    private final SpoolStore store;
    private final SpoolConfig config;
    private boolean kept;
    private boolean streamed;
    private long unreadLimit;
    private final ReentrantLock lock = new ReentrantLock();
    private final SpoolMemory memory;
    private long appended;
    private long polled;
    private @Nullable SpoolFile file;
    private Source source = Source.OPEN;
    private boolean held;
    private Runnable onReady = Spool::nobody;
    private Runnable onRoom = Spool::nobody;

    Spool(SpoolStore store, SpoolConfig config, boolean kept) {
        this.store = store;
        this.config = config;
        this.kept = kept;
        this.memory = new SpoolMemory(store, config.memoryPerBody());
        this.unreadLimit = config.answerLimit();
    }

    /**
     * Adds octets at the end.
     *
     * @param octets what to add; copied, or dropped when the spool is broken or closed
     * @throws NoSpaceException when they cannot be kept; the spool is as before
     * @throws IllegalStateException after {@link #complete}
     */
    public void append(ByteBuffer octets) throws NoSpaceException {
        Runnable listener;
        lock.lock();
        try {
            int count = octets.remaining();
            if (count == 0 || isGivenUp()) {
                octets.position(octets.limit());
                return;
            }
            if (source == Source.COMPLETE) {
                throw new IllegalStateException("append behind the end of a body");
            }
            if (streamed && kept && appended + count > config.memoryPerBody()) {
                kept = false;
                memory.forgetRead();
            }
            boolean memoryIsNext = fileUnread() == 0 && !(kept && file != null);
            if (!memoryIsNext || !memory.add(octets)) {
                if (file == null) {
                    file = new SpoolFile(store, config.folder());
                }
                // Whoever was told that an answer has room may add one read more than the limit.
                file.append(octets, !kept);
            }
            appended += count;
            listener = onReady;
        } finally {
            lock.unlock();
        }
        listener.run();
    }

    private boolean isGivenUp() {
        return source == Source.BROKEN || source == Source.CLOSED;
    }

    private long fileUnread() {
        return file == null ? 0 : file.unread();
    }

    /** Says that all octets have been added. */
    public void complete() {
        end(Source.COMPLETE);
    }

    /** Says that the rest will never come. */
    public void breakOff() {
        end(Source.BROKEN);
    }

    private void end(Source how) {
        Runnable listener;
        lock.lock();
        try {
            if (source != Source.OPEN) {
                return;
            }
            source = how;
            listener = onReady;
        } finally {
            lock.unlock();
        }
        listener.run();
    }

    /**
     * Takes the next octets.
     *
     * @return at least one octet, the reader's own; null when there are none at present
     */
    public @Nullable ByteBuffer poll() {
        ByteBuffer octets;
        Runnable listener = Spool::nobody;
        lock.lock();
        try {
            octets = next();
            if (octets != null) {
                polled += octets.remaining();
                if (held && hasRoomLocked()) {
                    held = false;
                    listener = onRoom;
                }
            }
        } finally {
            lock.unlock();
        }
        listener.run();
        return octets;
    }

    private @Nullable ByteBuffer next() {
        ByteBuffer chunk = memory.next(kept);
        if (chunk != null) {
            return chunk;
        }
        if (file == null || file.unread() == 0) {
            return null;
        }
        try {
            ByteBuffer octets = file.read(READ_SIZE);
            if (!kept && file.unread() == 0) {
                file.recycle();
            }
            return octets;
        } catch (IOException e) {
            System.getLogger(Spool.class.getName())
                    .log(System.Logger.Level.ERROR, "spool-read-failed", e);
            source = Source.BROKEN;
            file.close();
            file = null;
            return null;
        }
    }

    /**
     * Says how the body ends for its reader.
     *
     * @return {@link Ending#OPEN} as long as octets are unread or may come
     */
    public Ending ending() {
        lock.lock();
        try {
            if (isGivenUp()) {
                return Ending.BROKEN;
            }
            return source == Source.COMPLETE && polled == appended ? Ending.COMPLETE : Ending.OPEN;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says whether nothing more will be added.
     *
     * @return true after {@link #complete}
     */
    public boolean isWhole() {
        lock.lock();
        try {
            return source == Source.COMPLETE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns how much has been added.
     *
     * @return octets since the spool was made
     */
    public long size() {
        lock.lock();
        try {
            return appended;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns how much has been read.
     *
     * @return octets handed out since the start or the last {@link #rewind()}
     */
    public long polled() {
        lock.lock();
        try {
            return polled;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says how much waits to be read.
     *
     * @return octets added and not yet handed out
     */
    public long unread() {
        lock.lock();
        try {
            return appended - polled;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes who adds wait for who reads, so that a body of any length needs little memory: {@link
     * #hasRoom()} is false as soon as half of a body's memory is unread. A request's spool forgets
     * what has been read once the body is longer than its memory.
     */
    public void stream() {
        lock.lock();
        try {
            streamed = true;
            unreadLimit = Math.max(1, config.memoryPerBody() / 2);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says whether who adds should go on.
     *
     * @return false while what is unread is above the limit, or neither memory nor disk is left for
     *     more of it
     */
    public boolean hasRoom() {
        lock.lock();
        try {
            held = !hasRoomLocked();
            return !held;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoomLocked() {
        long unread = appended - polled;
        if (unread == 0 || isGivenUp()) {
            // With nothing unread there is always room: the reader could not make any.
            return true;
        }
        boolean inMemory = fileUnread() == 0 && memory.hasRoom(READ_SIZE);
        return unread < unreadLimit && (inMemory || store.hasDisk(READ_SIZE));
    }

    /**
     * Sets who is told of octets and of the end.
     *
     * @param listener called after each change; must not block
     */
    public void onReady(Runnable listener) {
        lock.lock();
        try {
            onReady = listener;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets who is told that there is room again, after {@link #hasRoom()} was false.
     *
     * @param listener called by the reader's thread; must not block
     */
    public void onRoom(Runnable listener) {
        lock.lock();
        try {
            onRoom = listener;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Goes back to the first octet, for another attempt, and takes {@link #stream} back: from now
     * on all is kept again.
     *
     * @return false, and nothing has changed, when octets have been forgotten
     */
    public boolean rewind() {
        lock.lock();
        try {
            if (!kept) {
                return false;
            }
            streamed = false;
            unreadLimit = config.answerLimit();
            memory.rewind();
            polled = 0;
            if (file != null) {
                file.rewind();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Tells who adds that there is room, after a {@link #rewind}. */
    public void signalRoom() {
        Runnable listener;
        lock.lock();
        try {
            listener = onRoom;
        } finally {
            lock.unlock();
        }
        listener.run();
    }

    /** Gives back memory and file. Idempotent; the reader sees {@link Ending#BROKEN}. */
    @Override
    public void close() {
        Runnable listener = Spool::nobody;
        lock.lock();
        try {
            if (source == Source.CLOSED) {
                return;
            }
            source = Source.CLOSED;
            memory.clear();
            if (file != null) {
                file.close();
                file = null;
            }
            polled = appended;
            listener = onRoom;
            onReady = Spool::nobody;
            onRoom = Spool::nobody;
        } finally {
            lock.unlock();
        }
        listener.run();
    }

    private static void nobody() {}
}
