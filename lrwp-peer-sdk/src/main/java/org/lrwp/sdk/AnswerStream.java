package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.FrameHead;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.PeerSettings;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;

/**
 * The peer's direction of one stream of LRWP 3: what waits for the writer or for window.
 *
 * <pre>
 *   WAITING --enter()--> RUNNING --head--> ANSWERING --last part--> COMPLETE --END taken--> ENDED
 *      |                    |                  |                       |                      ^
 *      |                    +------------------+- proxy's CANCEL --> CANCELLED -- last part --+
 *      +-- refuse(), cancel(), lost(), proxy's CANCEL before enter() or after the last part --+
 *   in a tunnel: COMPLETE --END taken--> HALF_CLOSED --proxy's END or CANCEL, cancel()--> ENDED
 * </pre>
 *
 * <p>Guarded by the writer's lock; any thread. A stream that has ended sends nothing more, WINDOW
 * included.
 */
final class AnswerStream implements AnswerPort, FrameWriter.Stream {
    /** Bytes that may wait before a writer of the answer is asked to wait too. */
    private static final int ROOM = 65_536;

    private static final byte[] NO_HEAD = {};

    private enum State {
        WAITING,
        RUNNING,
        ANSWERING,
        COMPLETE,
        HALF_CLOSED,
        CANCELLED,
        ENDED
    }

    private final int id;
    private final FrameWriter writer;
    private final Condition room;
    private final PendingBytes body = new PendingBytes();
    private final boolean unlimited;
    private volatile @Nullable StreamCall call;
    private volatile State state = State.WAITING;
    private byte @Nullable [] head;
    private long credit;
    private long late;
    private boolean announced;
    private boolean listed;
    private boolean full;
    private boolean tunnel;
    private boolean inputEnded;

    AnswerStream(int id, FrameWriter writer, long window) {
        this.id = id;
        this.writer = writer;
        this.room = writer.lock().newCondition();
        this.unlimited = window == PeerSettings.UNLIMITED;
        this.credit = window;
    }

    /** Sets who hears what becomes of the stream; before anything else. */
    void hearing(StreamCall hearing) {
        call = hearing;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    /** Announces that the handler is about to be entered; it starts behind that write. */
    void announce(StreamCall starting) {
        writer.lock().lock();
        try {
            if (state == State.WAITING) {
                announced = true;
                writer.urgent(Frames.started(id), starting::start);
            }
        } finally {
            writer.lock().unlock();
        }
    }

    /** A head is in one frame, and this fits into one of any proxy. */
    @Override
    public int maxHead() {
        return PeerSettings.MIN_MAX_FRAME;
    }

    @Override
    public boolean enter() {
        writer.lock().lock();
        try {
            if (state != State.WAITING || writer.isEnding()) {
                return false;
            }
            state = State.RUNNING;
            return true;
        } finally {
            writer.lock().unlock();
        }
    }

    @Override
    public boolean refuse(String reason) {
        writer.lock().lock();
        try {
            boolean early = state == State.WAITING || state == State.RUNNING;
            if (announced || !early) {
                return false;
            }
            end(Frames.text(FrameType.REFUSED, id, reason));
        } finally {
            writer.lock().unlock();
        }
        done();
        return true;
    }

    @Override
    public boolean send(byte @Nullable [] first, @Nullable ByteBuffer bytes, boolean complete) {
        writer.lock().lock();
        try {
            if (state != State.CANCELLED) {
                return queue(first, bytes, complete);
            }
            if (!complete) {
                return true;
            }
            end(Frames.text(FrameType.CANCEL, id, "cancelled"));
        } finally {
            writer.lock().unlock();
        }
        done();
        return true;
    }

    @Override
    public void upgrade(byte[] first) {
        writer.lock().lock();
        try {
            tunnel = true;
            if (state != State.CANCELLED) {
                queue(first, null, false);
            }
        } finally {
            writer.lock().unlock();
        }
    }

    /** The proxy's END: a tunnel whose other direction has ended is over. */
    void inputEnded() {
        boolean over;
        writer.lock().lock();
        try {
            inputEnded = true;
            over = state == State.HALF_CLOSED;
            if (over) {
                state = State.ENDED;
            }
        } finally {
            writer.lock().unlock();
        }
        if (over) {
            done();
        }
    }

    private boolean queue(byte @Nullable [] first, @Nullable ByteBuffer bytes, boolean complete) {
        if (first != null && (state == State.WAITING || state == State.RUNNING)) {
            if (first.length > maxHead()) {
                throw new IllegalArgumentException("a head of " + first.length + " bytes");
            }
            head = first;
            state = State.ANSWERING;
        }
        if (state != State.ANSWERING) {
            return true;
        }
        if (bytes != null) {
            body.add(bytes);
        }
        if (complete) {
            state = State.COMPLETE;
        }
        list();
        full = body.size() >= ROOM;
        return !full;
    }

    @Override
    public void cancel(String reason) {
        writer.lock().lock();
        try {
            if (state == State.ENDED) {
                return;
            }
            end(Frames.text(FrameType.CANCEL, id, reason));
        } finally {
            writer.lock().unlock();
        }
        done();
    }

    /** The proxy's CANCEL. */
    void cancelled(String reason) {
        boolean running;
        boolean over;
        writer.lock().lock();
        try {
            if (state == State.ENDED || state == State.CANCELLED) {
                return;
            }
            running = isRunning();
            over = state == State.HALF_CLOSED;
            if (over) {
                // Our direction has ended before: nothing more is due.
                end(null);
            } else if (running) {
                drop();
                state = State.CANCELLED;
            } else {
                end(Frames.text(FrameType.CANCEL, id, "cancelled"));
            }
        } finally {
            writer.lock().unlock();
        }
        StreamCall hearing = call;
        if (running && hearing != null) {
            hearing.cancel(reason);
        }
        if (over || !running) {
            done();
        }
    }

    /** The connection is over. */
    void lost(String reason) {
        boolean running;
        writer.lock().lock();
        try {
            if (state == State.ENDED) {
                return;
            }
            running = isRunning();
            end(null);
        } finally {
            writer.lock().unlock();
        }
        StreamCall hearing = call;
        if (running && hearing != null) {
            hearing.cancel(reason);
        }
        done();
    }

    private boolean isRunning() {
        return state == State.RUNNING || state == State.ANSWERING || state == State.HALF_CLOSED;
    }

    private void done() {
        StreamCall hearing = call;
        if (hearing != null) {
            hearing.end();
        }
    }

    private void end(byte @Nullable [] frame) {
        drop();
        state = State.ENDED;
        if (frame != null) {
            writer.urgent(frame, null);
        }
    }

    private void drop() {
        head = null;
        body.clear();
        full = false;
        room.signalAll();
    }

    /** Grants the proxy so many more bytes of the request's body. */
    void grant(long bytes) {
        writer.lock().lock();
        try {
            if (state != State.ENDED && state != State.CANCELLED) {
                writer.urgent(Frames.window(id, bytes), null);
                late += state == State.HALF_CLOSED ? bytes : 0;
            }
        } finally {
            writer.lock().unlock();
        }
    }

    /**
     * Returns what was granted behind this stream's own END: it may have crossed the proxy's END,
     * and then counts for the next request of the slot (docs/protocol.md 15.12.8).
     */
    long late() {
        writer.lock().lock();
        try {
            return late;
        } finally {
            writer.lock().unlock();
        }
    }

    /** The proxy's WINDOW. */
    void credit(long bytes) throws MalformedFrameException {
        writer.lock().lock();
        try {
            if (state == State.ENDED || unlimited) {
                return;
            }
            if (credit + bytes > PeerSettings.UNLIMITED) {
                throw new MalformedFrameException("open credit above 4294967295");
            }
            credit += bytes;
            list();
        } finally {
            writer.lock().unlock();
        }
    }

    /** Blocks until more of the answer is welcome. */
    void awaitRoom() throws IOException {
        writer.lock().lock();
        try {
            while (full && state == State.ANSWERING) {
                room.await();
            }
            if (state != State.ANSWERING && state != State.RUNNING) {
                throw new IOException("the request was cancelled");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the proxy had enough");
        } finally {
            writer.lock().unlock();
        }
    }

    private void list() {
        if (!listed && hasFrame()) {
            listed = true;
            writer.ready(this);
        }
    }

    private boolean hasFrame() {
        boolean answering = state == State.ANSWERING || state == State.COMPLETE;
        return answering
                && (head != null
                        || (body.size() > 0 && credit > 0)
                        || (body.size() == 0 && state == State.COMPLETE));
    }

    @Override
    public boolean take(ByteBuffer batch, int maxFrame) {
        byte[] first = head == null ? NO_HEAD : head;
        long open = unlimited ? Long.MAX_VALUE : credit;
        boolean whole =
                head != null
                        && !tunnel
                        && state == State.COMPLETE
                        && first.length + body.size() <= maxFrame
                        && body.size() <= open;
        long cut = whole ? body.size() : Math.max(0, FrameWriter.CUT - first.length);
        int size = (int) Math.min(Math.min(body.size(), open), cut);
        if (!hasFrame()) {
            listed = false;
            return true;
        }
        if (batch.remaining() < FrameHead.SIZE + first.length + size) {
            return false;
        }
        // The END of a tunnel never comes with its 101.
        boolean end = state == State.COMPLETE && size == body.size() && !(tunnel && head != null);
        FrameType type = head == null ? FrameType.DATA : FrameType.RESPONSE;
        FrameHead.write(batch, type, end, id, first.length + size);
        batch.put(first);
        head = null;
        body.move(batch, size);
        credit -= unlimited ? 0 : size;
        afterFrame(end);
        return true;
    }

    private void afterFrame(boolean end) {
        listed = false;
        if (end && tunnel && !inputEnded) {
            state = State.HALF_CLOSED;
            return;
        } else if (end) {
            state = State.ENDED;
            writer.afterWrite(this::done);
            return;
        }
        list();
        if (full && body.size() < ROOM) {
            full = false;
            room.signalAll();
            StreamCall hearing = call;
            if (hearing != null) {
                writer.afterWrite(hearing::roomAgain);
            }
        }
    }
}
