package org.lrwp.webapp.client;

import org.lrwp.engine.spool.FilePart;
import org.lrwp.engine.spool.FileParts;
import org.lrwp.webapp.files.SendEnd;
import org.lrwp.webapp.files.SendListener;

/**
 * The parts of files of one answer, which the system sends one after another.
 *
 * <pre>
 *   IDLE --{@link #sendNext}--> SENDING --whole--> IDLE
 *                                   +--given up, client gone--> STOPPED, GONE
 * </pre>
 *
 * <p>Called in the client's turns, but for the listener's methods and {@link #isUnderWay}.
 */
final class LentFiles implements SendListener {
    private enum State {
        IDLE,
        SENDING,
        /** The file's owner breaks the answer off. */
        STOPPED,
        GONE
    }

    private final FileParts parts;
    private final ClientStream stream;
    private final Runnable turn;
    private volatile State state = State.IDLE;

    LentFiles(FileParts parts, ClientStream stream, Runnable turn) {
        this.parts = parts;
        this.stream = stream;
        this.turn = turn;
    }

    /** Whether a part is there that can be sent now. */
    boolean isNext() {
        return state == State.IDLE && parts.next() != null;
    }

    /** Begins to send the next part. */
    void sendNext() {
        FilePart next = parts.next();
        if (next != null) {
            state = State.SENDING;
            stream.send(next, this);
        }
    }

    /** Whether nobody else may write to the client now. */
    boolean isUnderWay() {
        return state != State.IDLE;
    }

    boolean isGone() {
        return state == State.GONE;
    }

    @Override
    public void sent(long bytes) {
        parts.sent(bytes);
    }

    @Override
    public void ended(SendEnd end) {
        state =
                switch (end) {
                    case WHOLE -> State.IDLE;
                    case GIVEN_UP -> State.STOPPED;
                    case GONE -> State.GONE;
                };
        turn.run();
    }
}
