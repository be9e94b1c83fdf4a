package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.List;

/** One frame on its way to a peer. The link's loop only. */
final class OutFrame {
    private final @Nullable PeerStream owner;
    private final ByteBuffer head;
    private final List<ByteBuffer> payload;
    private final int size;
    private final Runnable whenWritten;
    private boolean taken;
    private boolean begun;
    private boolean written;

    private OutFrame(
            @Nullable PeerStream owner,
            ByteBuffer head,
            List<ByteBuffer> payload,
            Runnable whenWritten) {
        this.owner = owner;
        this.head = head;
        this.payload = payload;
        this.whenWritten = whenWritten;
        int bytes = head.remaining();
        for (int i = 0; i < payload.size(); i++) {
            bytes += payload.get(i).remaining();
        }
        this.size = bytes;
    }

    /** A small frame that is encoded already. */
    static OutFrame of(byte[] frame) {
        return new OutFrame(null, ByteBuffer.wrap(frame), List.of(), OutFrame::nothing);
    }

    /** A small frame of a stream, gone when the stream ends before it is written. */
    static OutFrame of(PeerStream owner, byte[] frame, Runnable whenWritten) {
        return new OutFrame(owner, ByteBuffer.wrap(frame), List.of(), whenWritten);
    }

    /** A frame of a stream, gone when the stream is cancelled before its first byte is written. */
    static OutFrame of(PeerStream owner, ByteBuffer head, List<ByteBuffer> body, boolean end) {
        return new OutFrame(owner, head, body, end ? owner::requestSent : OutFrame::nothing);
    }

    private static void nothing() {}

    boolean belongsTo(PeerStream stream) {
        return owner == stream;
    }

    int size() {
        return size;
    }

    /** Copies the frame; it can be copied again. */
    void copyTo(ByteBuffer target) {
        copy(head, target);
        for (int i = 0; i < payload.size(); i++) {
            copy(payload.get(i), target);
        }
    }

    private static void copy(ByteBuffer source, ByteBuffer target) {
        int count = source.remaining();
        target.put(target.position(), source, source.position(), count);
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
        whenWritten.run();
    }

    boolean isBegun() {
        return begun;
    }

    boolean isWritten() {
        return written;
    }
}
