package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.PeerSettings;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * The body of one request, between the reader of the connection and whoever takes it. What has been
 * taken is granted again, in portions, until the body is whole. Thread-safe; one taker.
 *
 * <pre>
 *   ARRIVING --END--> WHOLE
 *      +-------fail()---+--> OVER
 * </pre>
 */
final class IncomingBody {
    private enum State {
        ARRIVING,
        WHOLE,
        OVER
    }

    private final LongConsumer grant;
    private final boolean unlimited;
    private final long portion;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by the lock.
    private final ArrayDeque<ByteBuffer> chunks = new ArrayDeque<>();
    private State state = State.ARRIVING;
    private String failure = "";
    private long credit;
    private long owed;

    /**
     * Creates a body.
     *
     * @param window bytes that may arrive before any are granted
     * @param grant gets bytes that are welcome in addition
     */
    IncomingBody(long window, LongConsumer grant) {
        this.grant = grant;
        this.unlimited = window == PeerSettings.UNLIMITED;
        this.portion = Math.max(1, window / 2);
        this.credit = window;
    }

    /** Allows so many bytes more than the window says. */
    void allow(long bytes) {
        lock.lock();
        try {
            credit += bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Takes bytes that have arrived; they are copied. */
    void add(ByteBuffer bytes, boolean end) throws MalformedFrameException {
        lock.lock();
        try {
            if (state == State.WHOLE) {
                throw new MalformedFrameException("DATA behind the END of a request");
            }
            if (!unlimited && bytes.remaining() > credit) {
                throw new MalformedFrameException("a body beyond its window");
            }
            credit -= bytes.remaining();
            if (state == State.OVER) {
                return;
            }
            if (bytes.hasRemaining()) {
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                chunks.add(ByteBuffer.wrap(copy));
            }
            if (end) {
                state = State.WHOLE;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives up: what has not been taken is dropped, and whoever reads is told why. */
    void fail(String reason) {
        lock.lock();
        try {
            if (state != State.OVER) {
                state = State.OVER;
                failure = reason;
                chunks.clear();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns bytes that are there without waiting. */
    int available() {
        lock.lock();
        try {
            return chunks.isEmpty() ? 0 : chunks.getFirst().remaining();
        } finally {
            lock.unlock();
        }
    }

    /** Says whether all of the body has come and was taken. */
    boolean isTaken() {
        lock.lock();
        try {
            return state == State.WHOLE && chunks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Reads like an {@link java.io.InputStream}; blocks. */
    int read(byte[] target, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        int taken;
        lock.lock();
        try {
            while (state == State.ARRIVING && chunks.isEmpty()) {
                changed.await();
            }
            if (state == State.OVER) {
                throw new IOException(failure);
            }
            if (chunks.isEmpty()) {
                return -1;
            }
            ByteBuffer chunk = chunks.getFirst();
            taken = Math.min(count, chunk.remaining());
            chunk.get(target, offset, taken);
            if (!chunk.hasRemaining()) {
                chunks.removeFirst();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a body");
        } finally {
            lock.unlock();
        }
        taken(taken);
        return taken;
    }

    /** Returns the next bytes, or null when there are none now; {@link #taken} follows. */
    @Nullable ByteBuffer poll() {
        lock.lock();
        try {
            return chunks.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Says that so many bytes are out of the way. */
    void taken(long bytes) {
        long granted = 0;
        lock.lock();
        try {
            owed += bytes;
            if (!unlimited && state == State.ARRIVING && (owed >= portion || credit == 0)) {
                granted = owed;
                credit += owed;
                owed = 0;
            }
        } finally {
            lock.unlock();
        }
        if (granted > 0) {
            grant.accept(granted);
        }
    }
}
