package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the frames of one connection of LRWP 3: docs/protocol.md section 16.
 *
 * <p>Design. One thread writes, and takes all that is ready at once: first the small frames in
 * their order, then one frame of each stream in turn. Everybody else only queues, so a reader or a
 * handler never waits for the socket; what comes while a write is under way, or while {@link
 * Gathering} lets others go first, shares the next one.
 *
 * <p>Ordering. A small frame may overtake parts of answers, never another small frame. What is to
 * happen behind the write of a frame happens when the system call that wrote its last byte has
 * returned.
 *
 * <pre>
 *   OPEN --end()--> ENDING --all written, output shut down--> CLOSED
 *     +------------close(), a failed write---------------------^
 * </pre>
 *
 * <p>Thread-safe; the lock is shared with the streams and never held over a write or a call.
 */
final class FrameWriter implements Runnable {
    /** Most bytes of body in one DATA frame. */
    static final int CUT = 16_384;

    /** Small frames that may wait: a proxy that asks without reading has reached them. */
    private static final int MAX_URGENT = 65_536;

    /** Holds the largest frame of any stream, and a good many small ones. */
    private static final int BATCH = 131_072;

    private static final int LARGEST_FRAME = 65_536;

    private enum State {
        OPEN,
        ENDING,
        CLOSED
    }

    /** A stream whose frames wait for their turn. */
    interface Stream {
        /**
         * Puts the next frame into a batch; with the writer's lock.
         *
         * @return false when it has no room: the stream keeps its place
         */
        boolean take(ByteBuffer batch, int maxFrame);
    }

    private record Urgent(ByteBuffer frame, @Nullable Runnable written) {}

    private final ProxySocket socket;
    private final OutputStream out;
    private final int maxFrame;
    private final WriteWatch watch;
    private final Gathering gathering;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final ByteBuffer batch = ByteBuffer.allocate(BATCH);
    // Guarded by the lock.
    private final ArrayDeque<Urgent> urgent = new ArrayDeque<>();
    private final ArrayDeque<Stream> ready = new ArrayDeque<>();
    private List<Runnable> behind = new ArrayList<>();
    private State state = State.OPEN;
    private boolean idle;

    FrameWriter(ProxySocket socket, int maxFrame, WriteWatch watch, Gathering gathering)
            throws IOException {
        this.socket = socket;
        this.watch = watch;
        this.gathering = gathering;
        this.out = socket.output();
        this.maxFrame = Math.min(maxFrame, LARGEST_FRAME);
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Queues a whole small frame. */
    void urgent(byte[] frame) {
        urgent(frame, null);
    }

    /** Queues a whole small frame; the action runs behind its write, on the writer's thread. */
    void urgent(byte[] frame, @Nullable Runnable written) {
        lock.lock();
        try {
            if (state != State.OPEN) {
                return;
            }
            if (urgent.size() >= MAX_URGENT) {
                // Nobody reads the other end; the reader sees the connection end.
                closeLocked();
                return;
            }
            urgent.add(new Urgent(ByteBuffer.wrap(frame), written));
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Queues a stream that has a frame; with the lock. */
    void ready(Stream stream) {
        if (state == State.OPEN) {
            ready.add(stream);
            wake();
        }
    }

    /** Adds what happens behind the write of the batch that is being filled; with the lock. */
    void afterWrite(Runnable action) {
        behind.add(action);
    }

    /** Says whether no more frames are taken: no handler may be entered any more. */
    boolean isEnding() {
        lock.lock();
        try {
            return state != State.OPEN;
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is ready, then ends the connection's output. */
    void end() {
        lock.lock();
        try {
            if (state == State.OPEN) {
                state = State.ENDING;
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Writes nothing more and closes the socket. */
    void close() {
        lock.lock();
        try {
            closeLocked();
        } finally {
            lock.unlock();
        }
        socket.closeQuietly();
    }

    private void closeLocked() {
        state = State.CLOSED;
        urgent.clear();
        ready.clear();
        wake();
    }

    private void wake() {
        if (idle) {
            idle = false;
            work.signal();
        }
    }

    @Override
    public void run() {
        try {
            write();
        } catch (IOException e) {
            // The reader learns from the closed socket, and reports the loss.
            close();
        } finally {
            watch.end();
            if (!isOrderly()) {
                close();
            }
        }
    }

    private void write() throws IOException {
        List<Runnable> after = fill();
        while (batch.position() > 0) {
            watch.begin();
            out.write(batch.array(), 0, batch.position());
            watch.end();
            after.forEach(Runnable::run);
            after = fill();
        }
        if (isOrderly()) {
            socket.shutdownOutput();
        }
    }

    private boolean isOrderly() {
        lock.lock();
        try {
            return state == State.ENDING;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for frames; leaves the batch empty when there will be no more. */
    private List<Runnable> fill() {
        while (true) {
            awaitFrames();
            gathering.pause();
            List<Runnable> after = takeFrames();
            if (after != null) {
                return after;
            }
        }
    }

    private void awaitFrames() {
        lock.lock();
        try {
            while (urgent.isEmpty() && ready.isEmpty() && state == State.OPEN) {
                idle = true;
                work.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns what happens behind their write; null when none is left and more may come. */
    private @Nullable List<Runnable> takeFrames() {
        lock.lock();
        try {
            batch.clear();
            behind = new ArrayList<>();
            takeUrgent();
            takeReady();
            return batch.position() > 0 || state != State.OPEN ? behind : null;
        } finally {
            lock.unlock();
        }
    }

    private void takeUrgent() {
        while (!urgent.isEmpty() && urgent.getFirst().frame().remaining() <= batch.remaining()) {
            Urgent next = urgent.removeFirst();
            batch.put(next.frame());
            Runnable written = next.written();
            if (written != null) {
                behind.add(written);
            }
        }
    }

    private void takeReady() {
        while (urgent.isEmpty() && !ready.isEmpty()) {
            Stream stream = ready.removeFirst();
            if (!stream.take(batch, maxFrame)) {
                ready.addFirst(stream);
                return;
            }
        }
    }
}
