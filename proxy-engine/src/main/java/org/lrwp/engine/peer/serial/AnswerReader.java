package org.lrwp.engine.peer.serial;

import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.peer.PeerLog;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.CgiHeadParser;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ResponseFrameParser;

import java.nio.ByteBuffer;

/**
 * Reads the answer frames of one connection and tells the attempt what they say: docs/protocol.md
 * sections 5 and 6. The link's loop only.
 *
 * <p>An answer whose head is broken fails its request at once; the rest of its frame is read and
 * dropped, so that the peer stays.
 */
final class AnswerReader {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final PeerLog log;
    private final String context;
    private final ResponseFrameParser frame = new ResponseFrameParser();
    private final CgiHeadParser head;
    private ByteBuffer last = NOTHING;
    private boolean announced;
    private boolean dropping;

    AnswerReader(PeerLog log, String context, int headLimit) {
        this.log = log;
        this.context = context;
        this.head = new CgiHeadParser(headLimit);
    }

    /** Whether bytes of the answer have come. */
    boolean hasBegun() {
        return frame.hasBegun();
    }

    /** Whether the answer's head is broken, so that its request has failed. */
    boolean isDropping() {
        return dropping;
    }

    /**
     * Takes bytes of the answer.
     *
     * @param in what has arrived; bytes behind the answer stay in it
     * @return whether the answer is whole
     * @throws MalformedFrameException when it is not a frame
     */
    boolean feed(ByteBuffer in, Attempt attempt) throws MalformedFrameException {
        if (!frame.feedLength(in)) {
            return false;
        }
        if (frame.length() == 0) {
            fail(attempt, "the answer has no bytes", in);
        }
        ByteBuffer bytes = frame.take(in);
        if (!dropping) {
            take(bytes, attempt);
        }
        if (!frame.isComplete() && !dropping) {
            attempt.pause();
        }
        return frame.isComplete();
    }

    private void take(ByteBuffer bytes, Attempt attempt) {
        ByteBuffer first = bytes.duplicate();
        try {
            if (!announced) {
                findHead(bytes, attempt);
            }
        } catch (MalformedFrameException e) {
            fail(attempt, String.valueOf(e.getMessage()), first);
            return;
        }
        if (announced && frame.isComplete()) {
            last = bytes;
        } else if (announced) {
            attempt.bytes(bytes);
        }
    }

    /** What a whole answer ends with, in the memory that it was read into. */
    ByteBuffer last() {
        return last;
    }

    private void findHead(ByteBuffer bytes, Attempt attempt) throws MalformedFrameException {
        CgiHeadParser.State state = head.feed(bytes);
        if (state == CgiHeadParser.State.COLLECTING && frame.isComplete()) {
            state = head.endOfOutput();
        }
        if (state == CgiHeadParser.State.COLLECTING) {
            return;
        }
        CgiHead found = head.head();
        long bodyLength = (long) frame.length() - head.headLength();
        Long said = found.contentLength();
        if (said != null && said != bodyLength && !attempt.isBodyless(found)) {
            throw new MalformedFrameException(
                    "Content-Length says " + said + ", the frame has " + bodyLength);
        }
        announced = true;
        attempt.head(found, bodyLength);
        attempt.bytes(head.collected());
    }

    private void fail(Attempt attempt, String why, ByteBuffer first) {
        dropping = true;
        log.brokenHead(context, why, first);
        attempt.failed(Failure.BROKEN_HEAD, Progress.PARTLY_ANSWERED);
    }

    /** Makes the reader ready for the next answer. */
    void reset() {
        frame.reset();
        head.reset();
        last = NOTHING;
        announced = false;
        dropping = false;
    }
}
