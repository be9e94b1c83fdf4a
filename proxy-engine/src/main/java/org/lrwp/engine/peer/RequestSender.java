package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.transport.Link;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes one request frame as fast as the link takes it. The link's loop only. */
final class RequestSender {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ByteBuffer head;
    private final Spool body;
    private ByteBuffer chunk = NOTHING;
    private boolean bodyTaken;
    private boolean begun;
    private boolean bodyBegun;

    RequestSender(ByteBuffer head, Spool body) {
        this.head = head;
        this.body = body;
    }

    /**
     * Writes what the link takes.
     *
     * @return whether the frame is wholly written
     * @throws IOException when the connection failed
     */
    boolean send(Link link) throws IOException {
        while (!isWhole()) {
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
            ByteBuffer next = body.poll();
            bodyTaken = next == null;
            if (bodyTaken && body.ending() != Spool.Ending.COMPLETE) {
                // Less than was announced would make the peer take the next request for the rest.
                throw new IOException("the request's body is gone");
            }
            chunk = next == null ? NOTHING : next;
        }
        return bodyTaken && !head.hasRemaining() && !chunk.hasRemaining();
    }

    /** How far a request has come whose sender is given; null means that nothing was written. */
    static Progress progress(@Nullable RequestSender sender, boolean whole) {
        if (sender == null || !sender.begun) {
            return Progress.NOT_SENT;
        }
        return whole || sender.bodyBegun ? Progress.MAY_HAVE_STARTED : Progress.NOT_STARTED;
    }
}
