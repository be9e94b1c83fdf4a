package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.BodySource;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.FrameHead;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The proxy's direction of one stream: the REQUEST frame, then DATA as far as the peer's window
 * goes: docs/protocol.md section 15. The link's loop only.
 */
final class StreamRequest {
    /** Bytes of a body in one DATA frame, so that streams take turns. */
    private static final int MOST_DATA = 16_384;

    /** What is put into one frame at most, however large the peer takes them. */
    private static final int MOST_FRAME = 1 << 20;

    private final PeerStream stream;
    private final int id;
    private final BodySource body;
    private final int maxFrame;
    private long window;
    private @Nullable ByteBuffer chunk;
    private @Nullable OutFrame first;
    private @Nullable OutFrame last;
    private boolean enqueued;

    StreamRequest(PeerStream stream, int id, BodySource body, PeerSettings settings) {
        this.stream = stream;
        this.id = id;
        this.body = body;
        this.maxFrame = Math.min(settings.maxFrame(), MOST_FRAME);
        this.window = settings.window();
    }

    /** Whether an env block fits into a frame of the peer. */
    static boolean fits(ByteBuffer environment, PeerSettings settings) {
        return environment.remaining() + RequestHeads.ENV_LENGTH <= settings.maxFrame();
    }

    int id() {
        return id;
    }

    /** Sets who is told that there is something to send, or that there never will be. */
    void onReady(Runnable listener) {
        body.onReady(listener);
    }

    /**
     * The REQUEST frame; with END when all of the request fits.
     *
     * @param environment the env block; copied
     * @param heads keeps it until the frame is written
     */
    OutFrame start(ByteBuffer environment, RequestHeads heads) {
        int left = maxFrame - RequestHeads.ENV_LENGTH - environment.remaining();
        long room = Math.min(left, window);
        boolean all = body.isWhole() && body.unread() <= room;
        List<ByteBuffer> payload = take(all ? room : Math.min(room, MOST_DATA));
        boolean end = isAtEnd();
        int head = heads.add(id, end, environment, length(payload));
        OutFrame frame = frame(heads.memory(), head, payload, end);
        first = frame;
        return frame;
    }

    private static int length(List<ByteBuffer> payload) {
        int length = 0;
        // Asked for each frame: without an iterator.
        for (int i = 0; i < payload.size(); i++) {
            length += payload.get(i).remaining();
        }
        return length;
    }

    /** The next DATA frame; null when there are no bytes or no window for them. */
    @Nullable OutFrame next() {
        if (isEnded()) {
            return null;
        }
        List<ByteBuffer> payload = take(Math.min(Math.min(maxFrame, MOST_DATA), window));
        boolean end = isAtEnd();
        if (payload.isEmpty() && !end) {
            return null;
        }
        byte[] head = FrameHead.of(FrameType.DATA, end, id, length(payload));
        return frame(OutFrame.whole(head), 0, payload, end);
    }

    /** A frame whose head says whether it is the last one: the body may get whole meanwhile. */
    private OutFrame frame(ByteBuffer head, int headAt, List<ByteBuffer> payload, boolean end) {
        OutFrame frame = OutFrame.of(stream, head, headAt, payload, end);
        if (end) {
            last = frame;
        }
        return frame;
    }

    private boolean isAtEnd() {
        return chunk == null && body.ending() == BodyEnding.COMPLETE;
    }

    /** Moves bytes of the body into a frame and counts them; empty when there were none. */
    private List<ByteBuffer> take(long most) {
        if (most <= 0 || !fillChunk()) {
            return List.of();
        }
        ByteBuffer first = part(most);
        List<ByteBuffer> payload = List.of(first);
        long left = most - first.remaining();
        while (left > 0 && fillChunk()) {
            payload = payload.size() == 1 ? new ArrayList<>(payload) : payload;
            ByteBuffer next = part(left);
            payload.add(next);
            left -= next.remaining();
        }
        if (window != PeerSettings.UNLIMITED) {
            window -= most - left;
        }
        return payload;
    }

    /** The next bytes of the chunk that is there, at most so many. */
    private ByteBuffer part(long most) {
        ByteBuffer now = Objects.requireNonNull(chunk, "chunk");
        if (now.remaining() <= most) {
            chunk = null;
            return now;
        }
        int count = (int) most;
        ByteBuffer begin = now.slice(now.position(), count);
        now.position(now.position() + count);
        return begin;
    }

    private boolean fillChunk() {
        if (chunk == null) {
            chunk = body.poll();
        }
        return chunk != null;
    }

    /**
     * The peer wants so many bytes more.
     *
     * @throws MalformedFrameException when that is more than a window can be
     */
    void grant(long bytes) throws MalformedFrameException {
        window += window == PeerSettings.UNLIMITED ? 0 : bytes;
        if (window > PeerSettings.UNLIMITED) {
            throw new MalformedFrameException("window above 4294967295 on stream " + id);
        }
    }

    /** Whether the peer's window is used up while bytes wait for it. */
    boolean isHeldBack() {
        return !isEnded() && window == 0 && (chunk != null || body.unread() > 0);
    }

    /** Whether the body can never be whole. */
    boolean isBroken() {
        return !isEnded() && body.ending() == BodyEnding.BROKEN;
    }

    /** Whether the frame that ends this direction is made. */
    boolean isEnded() {
        return last != null;
    }

    /** Whether the frame that ends this direction is written. */
    boolean isEndWritten() {
        OutFrame end = last;
        return end != null && end.isWritten();
    }

    /** Whether the end is written, or will be because its frame has begun. */
    boolean isEndBegun() {
        OutFrame end = last;
        return end != null && end.isBegun();
    }

    /** Whether the REQUEST frame has had its turn, so that DATA may follow. */
    boolean isTaken() {
        OutFrame request = first;
        return request != null && request.isTaken();
    }

    /** Whether the peer may have seen any of it. */
    boolean isBegun() {
        OutFrame request = first;
        return request != null && request.isBegun();
    }

    /** Whether the peer may have started on it. */
    boolean isSent() {
        OutFrame request = first;
        return request != null && request.isWritten();
    }

    /**
     * How far a request had come when its connection ended; null means that nothing was written.
     */
    static Progress progress(
            @Nullable StreamRequest request, boolean answering, boolean unstarted) {
        if (answering) {
            return Progress.PARTLY_ANSWERED;
        }
        if (request == null || !request.isBegun()) {
            return Progress.NOT_SENT;
        }
        return unstarted || !request.isSent() ? Progress.NOT_STARTED : Progress.MAY_HAVE_STARTED;
    }

    /** Marks it as waiting for its turn; false when it was. */
    boolean enqueue() {
        boolean fresh = !enqueued;
        enqueued = true;
        return fresh;
    }

    void dequeue() {
        enqueued = false;
    }
}
