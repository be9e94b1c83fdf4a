package org.lrwp.webapp.client;

import org.lrwp.engine.exchange.AnswerHead;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends an answer that is there as a whole to a client of whom nobody knows what it has yet to
 * take: {@link ClientStream#send(AnswerHead, ByteBuffer)} could wait for it. Called in the
 * request's turns, but for {@link #isBlocked} and {@link #written}.
 */
final class WholeSender implements Sender {
    private final ClientStream stream;
    private final ByteBuffer body;
    private volatile boolean blocked;
    private volatile long written;

    /**
     * Creates a sender and sets the head.
     *
     * @param whole its bytes are in an array that nobody changes any more
     */
    WholeSender(ClientStream stream, ErrorAnswer.Whole whole) {
        this.stream = stream;
        this.body = whole.body();
        stream.begin(whole.head());
    }

    @Override
    public boolean isBlocked() {
        return blocked;
    }

    @Override
    public long written() {
        return written;
    }

    /** It is complete when the client could take more, so that whoever ends it does not wait. */
    @Override
    public Progress goOn() {
        try {
            while (stream.isWritable()) {
                ByteBuffer rest = body.slice();
                if (!rest.hasRemaining()) {
                    blocked = false;
                    return Progress.COMPLETE;
                }
                body.position(body.limit());
                stream.write(rest);
                written = rest.capacity();
            }
            blocked = true;
            return Progress.OPEN;
        } catch (IOException e) {
            return Progress.GONE;
        }
    }
}
