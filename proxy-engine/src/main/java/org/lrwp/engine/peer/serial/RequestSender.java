package org.lrwp.engine.peer.serial;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.transport.Link;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes one request frame as fast as the link takes it. The link's loop only. */
final class RequestSender {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ByteBuffer head;
    private final Spool body;
    private final Runnable whenReady;
    private ByteBuffer chunk = NOTHING;
    private boolean bodyTaken;
    private boolean asked;
    private boolean begun;
    private boolean bodyBegun;

    /**
     * Creates a sender.
     *
     * @param head the frame up to its body
     * @param body a whole body
     * @param whenReady called by any thread when the disk has given bytes that were missing
     */
    RequestSender(ByteBuffer head, Spool body, Runnable whenReady) {
        this.head = head;
        this.body = body;
        this.whenReady = whenReady;
    }

    /**
     * Writes what the link takes.
     *
     * @return whether the frame is wholly written
     * @throws IOException when the connection failed
     */
    boolean send(Link link) throws IOException {
        while (!isWhole()) {
            if (isStarved()) {
                return false;
            }
            ByteBuffer[] sources = {head, chunk};
            int bodyBefore = chunk.remaining();
            long count = link.write(sources);
            begun |= count > 0;
            bodyBegun |= chunk.remaining() < bodyBefore;
            if (head.hasRemaining() || chunk.hasRemaining()) {
                return false;
            }
        }
        return true;
    }

    private boolean isWhole() throws IOException {
        if (!chunk.hasRemaining() && !bodyTaken) {
            chunk = nextChunk();
        }
        return bodyTaken && !head.hasRemaining() && !chunk.hasRemaining();
    }

    private ByteBuffer nextChunk() throws IOException {
        ByteBuffer next = body.poll();
        if (next == null && !asked && body.ending() == BodyEnding.OPEN) {
            asked = true;
            body.onReady(whenReady);
            next = body.poll();
        }
        if (next != null) {
            return next;
        }
        BodyEnding ending = body.ending();
        bodyTaken = ending == BodyEnding.COMPLETE;
        if (ending == BodyEnding.BROKEN) {
            // Less than was announced would make the peer take the next request for the rest.
            throw new IOException("the request's body is gone");
        }
        return NOTHING;
    }

    /** Whether it waits for the disk, not for the peer. */
    boolean isStarved() {
        return !bodyTaken && !head.hasRemaining() && !chunk.hasRemaining();
    }

    /** How far a request has come whose sender is given; null means that nothing was written. */
    static Progress progress(@Nullable RequestSender sender, boolean whole) {
        if (sender == null || !sender.begun) {
            return Progress.NOT_SENT;
        }
        return whole || sender.bodyBegun ? Progress.MAY_HAVE_STARTED : Progress.NOT_STARTED;
    }
}
