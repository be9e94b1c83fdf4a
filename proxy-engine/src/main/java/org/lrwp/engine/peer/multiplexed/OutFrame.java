package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.List;

/** One frame on its way to a peer. The link's loop only. */
final class OutFrame {
    private final @Nullable PeerStream owner;
    private final ByteBuffer head;
    private final int headAt;
    private final int headSize;
    private final List<ByteBuffer> payload;
    private final int size;
    private final @Nullable Runnable whenWritten;
    private final boolean last;
    private boolean taken;
    private boolean begun;
    private boolean written;

    private OutFrame(
            @Nullable PeerStream owner,
            ByteBuffer head,
            int headAt,
            List<ByteBuffer> payload,
            boolean last,
            @Nullable Runnable whenWritten) {
        this.owner = owner;
        this.head = head;
        this.headAt = headAt;
        this.headSize = head.position() - headAt;
        this.payload = payload;
        this.last = last;
        this.whenWritten = whenWritten;
        int bytes = headSize;
        for (int i = 0; i < payload.size(); i++) {
            bytes += payload.get(i).remaining();
        }
        this.size = bytes;
    }

    /** A small frame that is encoded already. */
    static OutFrame of(byte[] frame) {
        return new OutFrame(null, whole(frame), 0, List.of(), false, null);
    }

    /** A small frame of a stream, gone when the stream ends before it is written. */
    static OutFrame of(PeerStream owner, byte[] frame, Runnable whenWritten) {
        return new OutFrame(owner, whole(frame), 0, List.of(), false, whenWritten);
    }

    /**
     * A frame of a stream, gone when the stream is cancelled before its first byte is written.
     *
     * @param head has the frame's head before its position; only read, and never by its position
     * @param headAt where the frame's head begins
     * @param body what follows it
     * @param end whether the request ends with it
     */
    static OutFrame of(
            PeerStream owner, ByteBuffer head, int headAt, List<ByteBuffer> body, boolean end) {
        return new OutFrame(owner, head, headAt, body, end, null);
    }

    static ByteBuffer whole(byte[] bytes) {
        return ByteBuffer.wrap(bytes).position(bytes.length);
    }

    boolean belongsTo(PeerStream stream) {
        return owner == stream;
    }

    int size() {
        return size;
    }

    /** Copies the frame; it can be copied again. */
    void copyTo(ByteBuffer target) {
        copy(head, headAt, headSize, target);
        for (int i = 0; i < payload.size(); i++) {
            ByteBuffer part = payload.get(i);
            copy(part, part.position(), part.remaining(), target);
        }
    }

    private static void copy(ByteBuffer source, int from, int count, ByteBuffer target) {
        target.put(target.position(), source, from, count);
        target.position(target.position() + count);
    }

    /** The frame has had its turn: what it has to come before may follow. */
    void take() {
        taken = true;
    }

    boolean isTaken() {
        return taken;
    }

    /** The first byte is written: from now on the frame is finished, whatever happens. */
    void begin() {
        begun = true;
    }

    /** The last byte is written. */
    void finish() {
        begun = true;
        written = true;
        if (last && owner != null) {
            owner.requestSent();
        }
        if (whenWritten != null) {
            whenWritten.run();
        }
    }

    boolean isBegun() {
        return begun;
    }

    boolean isWritten() {
        return written;
    }
}
