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
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;

/**
 * The peer's direction of one stream of LRWP 3: what waits for the writer or for window.
 *
 * <pre>
 *   WAITING --enter()--> RUNNING --head--> ANSWERING --last part--> COMPLETE --END taken--> ENDED
 *      |                    |                  |                       |                      ^
 *      |                    +------------------+- proxy's CANCEL --> CANCELLED -- last part --+
 *      +-- refuse(), cancel(), lost(), proxy's CANCEL before enter() or after the last part --+
 * </pre>
 *
 * <p>Guarded by the writer's lock; any thread. A stream that has ended sends nothing more, WINDOW
 * included.
 */
final class AnswerStream implements AnswerPort {
    /** Octets that may wait before a writer of the answer is asked to wait too. */
    private static final int ROOM = 65_536;

    private static final byte[] NO_HEAD = {};

    private enum State {
        WAITING,
        RUNNING,
        ANSWERING,
        COMPLETE,
        CANCELLED,
        ENDED
    }

    private final int id;
    private final FrameWriter writer;
    private final Condition room;
    private final ArrayDeque<ByteBuffer> body = new ArrayDeque<>();
    private final boolean unlimited;
    private volatile @Nullable StreamCall call;
    private volatile State state = State.WAITING;
    private byte @Nullable [] head;
    private long queued;
    private long credit;
    private boolean announced;
    private boolean listed;
    private boolean full;

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
    public boolean send(byte @Nullable [] first, @Nullable ByteBuffer octets, boolean complete) {
        writer.lock().lock();
        try {
            if (state != State.CANCELLED) {
                return queue(first, octets, complete);
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

    private boolean queue(byte @Nullable [] first, @Nullable ByteBuffer octets, boolean complete) {
        if (first != null && (state == State.WAITING || state == State.RUNNING)) {
            if (first.length > PeerSettings.MIN_MAX_FRAME) {
                throw new IllegalArgumentException("a head of " + first.length + " octets");
            }
            head = first;
            state = State.ANSWERING;
        }
        if (state != State.ANSWERING) {
            return true;
        }
        if (octets != null && octets.hasRemaining()) {
            body.add(octets.slice());
            queued += octets.remaining();
        }
        if (complete) {
            state = State.COMPLETE;
        }
        list();
        full = queued >= ROOM;
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
        writer.lock().lock();
        try {
            if (state == State.ENDED || state == State.CANCELLED) {
                return;
            }
            running = state == State.RUNNING || state == State.ANSWERING;
            if (running) {
                drop();
                state = State.CANCELLED;
            } else {
                end(Frames.text(FrameType.CANCEL, id, "cancelled"));
            }
        } finally {
            writer.lock().unlock();
        }
        StreamCall hearing = call;
        if (hearing == null) {
            return;
        }
        if (running) {
            hearing.cancelled(reason);
        } else {
            hearing.done();
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
            running = state == State.RUNNING || state == State.ANSWERING;
            end(null);
        } finally {
            writer.lock().unlock();
        }
        StreamCall hearing = call;
        if (running && hearing != null) {
            hearing.cancelled(reason);
        }
        done();
    }

    private void done() {
        StreamCall hearing = call;
        if (hearing != null) {
            hearing.done();
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
        queued = 0;
        full = false;
        room.signalAll();
    }

    /** Grants the proxy so many more octets of the request's body. */
    void grant(long octets) {
        writer.lock().lock();
        try {
            if (state != State.ENDED && state != State.CANCELLED) {
                writer.urgent(Frames.window(id, octets), null);
            }
        } finally {
            writer.lock().unlock();
        }
    }

    /** The proxy's WINDOW. */
    void credit(long octets) throws MalformedFrameException {
        writer.lock().lock();
        try {
            if (state == State.ENDED || unlimited) {
                return;
            }
            if (credit + octets > PeerSettings.UNLIMITED) {
                throw new MalformedFrameException("open credit above 4294967295");
            }
            credit += octets;
            list();
        } finally {
            writer.lock().unlock();
        }
    }

    /** Waits until more of the answer is welcome; blocks. */
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
                        || (queued > 0 && credit > 0)
                        || (queued == 0 && state == State.COMPLETE));
    }

    /**
     * Puts the next frame into a batch; with the writer's lock.
     *
     * @return false when it has no room: the stream keeps its place
     */
    boolean take(ByteBuffer batch, int maxFrame) {
        byte[] first = head == null ? NO_HEAD : head;
        long open = unlimited ? Long.MAX_VALUE : credit;
        boolean whole =
                head != null
                        && state == State.COMPLETE
                        && first.length + queued <= maxFrame
                        && queued <= open;
        long cut = whole ? queued : Math.max(0, FrameWriter.CUT - first.length);
        int size = (int) Math.min(Math.min(queued, open), cut);
        if (!hasFrame()) {
            listed = false;
            return true;
        }
        if (batch.remaining() < FrameHead.SIZE + first.length + size) {
            return false;
        }
        boolean end = state == State.COMPLETE && size == queued;
        FrameType type = head == null ? FrameType.DATA : FrameType.RESPONSE;
        FrameHead.write(batch, type, end, id, first.length + size);
        batch.put(first);
        head = null;
        move(batch, size);
        afterFrame(end);
        return true;
    }

    private void move(ByteBuffer batch, int size) {
        queued -= size;
        credit -= unlimited ? 0 : size;
        int left = size;
        while (left > 0) {
            ByteBuffer chunk = body.getFirst();
            int count = Math.min(left, chunk.remaining());
            batch.put(chunk.slice(chunk.position(), count));
            chunk.position(chunk.position() + count);
            left -= count;
            if (!chunk.hasRemaining()) {
                body.removeFirst();
            }
        }
    }

    private void afterFrame(boolean end) {
        listed = false;
        if (end) {
            state = State.ENDED;
            writer.afterWrite(this::done);
            return;
        }
        list();
        if (full && queued < ROOM) {
            full = false;
            room.signalAll();
            StreamCall hearing = call;
            if (hearing != null) {
                writer.afterWrite(hearing::writable);
            }
        }
    }
}
