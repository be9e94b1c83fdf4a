package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/**
 * The part of a body that is in a temporary file: bytes are added at its end and read in order. The
 * file is unlinked from its folder as soon as it is open, so that nothing is left whatever happens.
 *
 * <p>Purpose: whoever adds or reads never waits for the disk. Design: what is added waits in memory
 * until a disk thread has written it; once somebody reads, the next bytes are read ahead. At most
 * one thread works on a file at a time. Guarded by its spool's lock, but for {@link #run}.
 */
final class SpoolFile implements Runnable {
    private static final int READ_SIZE = 64 * 1024;

    private final SpoolSpace space;
    private final Object lock;
    private final Events events;
    private final Deque<ByteBuffer> unwritten = new ArrayDeque<>();
    private long backlog;
    private long appended;
    private long written;
    private long read;
    private @Nullable ByteBuffer ahead;
    private boolean reading;
    private boolean working;
    private boolean closed;

    /** The disk thread's own. */
    private @Nullable FileChannel channel;

    /** Is told how the disk gets on; called by a disk thread, without the lock. */
    interface Events {
        /** Bytes can be polled, or fewer wait to be written. */
        void moved();

        /** The disk takes or gives no more. */
        void failed(NoSpaceException fault);
    }

    SpoolFile(SpoolSpace space, Object lock, Events events) {
        this.space = space;
        this.lock = lock;
        this.events = events;
    }

    // ---- For the spool, under its lock.

    void append(ByteBuffer bytes, boolean aboveLimit) throws NoSpaceException {
        int count = bytes.remaining();
        space.takeDisk(count, aboveLimit);
        unwritten.add(ByteBuffer.allocate(count).put(bytes).flip());
        backlog += count;
        appended += count;
    }

    /** Bytes that have not been handed out. */
    long unread() {
        return appended - read;
    }

    /** Bytes that wait to be written. */
    long backlog() {
        return backlog;
    }

    /** The next bytes; null when the disk has not given them yet. */
    @Nullable ByteBuffer poll() {
        reading = true;
        ByteBuffer next = ahead;
        if (next != null) {
            ahead = null;
            read += next.remaining();
        }
        return next;
    }

    void rewind() {
        read = 0;
        ahead = null;
    }

    /** Forgets everything, when all has been read. */
    void recycle() {
        space.giveDisk(appended);
        appended = 0;
        written = 0;
        read = 0;
    }

    void close() {
        space.giveDisk(appended);
        appended = 0;
        read = 0;
        backlog = 0;
        unwritten.clear();
        ahead = null;
        closed = true;
    }

    /** Whether {@link #run} has to be called now, by a disk thread and without the lock. */
    boolean start() {
        boolean idle = !working;
        working |= closed || !unwritten.isEmpty() || wantsAhead();
        return idle && working;
    }

    private boolean wantsAhead() {
        return reading && ahead == null && read < written;
    }

    // ---- The disk thread.

    @Override
    public void run() {
        try {
            while (step()) {
                events.moved();
            }
        } catch (IOException e) {
            var fault =
                    new NoSpaceException(
                            "temporary file in " + space.config().folder() + ": " + e, e);
            closeChannel();
            events.failed(fault);
        }
    }

    /** Writes or reads once; false when there is nothing to do. */
    private boolean step() throws IOException {
        ByteBuffer next = null;
        long position = 0;
        boolean readAhead;
        boolean over;
        synchronized (lock) {
            over = closed;
            readAhead = !over && wantsAhead();
            if (readAhead) {
                next = ByteBuffer.allocate((int) Math.min(READ_SIZE, written - read));
                position = read;
            } else if (!over) {
                next = unwritten.peek();
                position = written;
            }
            working = next != null;
        }
        if (over) {
            closeChannel();
        } else if (readAhead && next != null) {
            read(next, position);
        } else if (next != null) {
            write(next, position);
        }
        return next != null;
    }

    private void read(ByteBuffer target, long position) throws IOException {
        while (target.hasRemaining()) {
            if (channel().read(target, position + target.position()) < 0) {
                throw new IOException("shorter than what was written to it");
            }
        }
        synchronized (lock) {
            // The reader may have gone back to the start meanwhile.
            if (!closed && position == read && ahead == null) {
                ahead = target.flip();
            }
        }
    }

    private void write(ByteBuffer bytes, long start) throws IOException {
        int count = bytes.remaining();
        long position = start;
        while (bytes.hasRemaining()) {
            position += channel().write(bytes, position);
        }
        synchronized (lock) {
            if (!closed) {
                unwritten.remove();
                backlog -= count;
                written += count;
            }
        }
    }

    private FileChannel channel() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            open =
                    PrivateFile.create(
                            space.config().folder().resolve("lrwp-" + UUID.randomUUID() + ".spool"),
                            StandardOpenOption.DELETE_ON_CLOSE);
            channel = open;
        }
        return open;
    }

    private void closeChannel() {
        FileChannel open = channel;
        channel = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            System.getLogger(SpoolFile.class.getName())
                    .log(System.Logger.Level.WARNING, "spool-close-failed", e);
        }
    }
}
