package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The parts of files that a body is made of, in place of bytes: its spool keeps nothing of them but
 * their order and how much has been sent. Thread-safe; nothing blocks.
 */
public final class FileParts {
    private final Object lock;
    private final Runnable whenAdded;
    private final Runnable whenSent;

    /** Made for the first one: almost every body has none. */
    private @Nullable Queue<FilePart> parts;

    private volatile long added;
    private volatile long sent;

    /** Bytes of the parts that have been sent whole. */
    private long before;

    private boolean closed;

    /**
     * Creates it without parts.
     *
     * @param lock of its spool
     * @param whenAdded called without the lock when a part has come
     * @param whenSent called without the lock when bytes have been sent
     */
    FileParts(Object lock, Runnable whenAdded, Runnable whenSent) {
        this.lock = lock;
        this.whenAdded = whenAdded;
        this.whenSent = whenSent;
    }

    /**
     * Adds a part at the end.
     *
     * @param part what to add; dropped when the spool is closed. Its file stays open until then
     */
    public void add(FilePart part) {
        synchronized (lock) {
            if (closed) {
                return;
            }
            if (parts == null) {
                parts = new ArrayDeque<>(2);
            }
            parts.add(part);
            long sum = added + part.length();
            added = sum;
        }
        whenAdded.run();
    }

    /**
     * Returns the part that is to be sent next.
     *
     * @return null when there is none at present
     */
    public @Nullable FilePart next() {
        if (added == sent) {
            return null;
        }
        synchronized (lock) {
            return parts == null ? null : parts.peek();
        }
    }

    /**
     * Says that bytes of {@link #next()} have been sent; the one reader calls it.
     *
     * @param bytes how many more
     */
    public void sent(long bytes) {
        synchronized (lock) {
            FilePart first = parts == null ? null : parts.peek();
            if (parts == null || first == null) {
                return;
            }
            long sum = sent + bytes;
            sent = sum;
            if (sum - before == first.length()) {
                before = sum;
                parts.remove();
            }
        }
        whenSent.run();
    }

    /** Bytes of all parts. */
    long added() {
        return added;
    }

    /** Bytes that have been sent. */
    long sent() {
        return sent;
    }

    /** Forgets what is left, and takes no more; under the lock. */
    void close() {
        closed = true;
        parts = null;
        before = added;
        sent = added;
    }
}
