package org.lrwp.engine.exchange;

/**
 * The life of an exchange.
 *
 * <pre>
 *   RECEIVING --body whole--> QUEUED --slot--> SENT --answer starts--> ANSWERING --delivered--> DONE
 *     | ^  |                    ^  |            ^| |                        |
 *     | |  +-----slot of a streaming peer-------+| |                        |
 *     | +----elsewhere, body not whole-----------+ |                        |
 *     |                         +--|--elsewhere--+ |                        |
 *     +----------------------------+---------------+------------------------+------> FAILED
 *                                                  |                        ^
 *                                                  +--101--> TUNNEL --------+--both ends--> DONE
 * </pre>
 */
public enum ExchangeState {
    /** The body is coming in, and no peer has the request. */
    RECEIVING,
    /** Waiting for a slot. */
    QUEUED,
    /** With a peer, perhaps before its body is whole; the client has seen nothing. */
    SENT,
    /** The answer has started to the client. */
    ANSWERING,
    /** The client's connection is a tunnel to the peer. */
    TUNNEL,
    /** The client has its whole answer. */
    DONE,
    /** The client got an error, was cut, or has left. */
    FAILED;

    /**
     * Says whether nothing more can happen to the client.
     *
     * @return true for {@link #DONE} and {@link #FAILED}
     */
    public boolean isOver() {
        return this == DONE || this == FAILED;
    }

    /** Whether the client has seen something of an answer, and may see more. */
    boolean hasBegun() {
        return this == ANSWERING || this == TUNNEL;
    }

    /**
     * Checks a step.
     *
     * @param next the state to go to
     * @return next
     * @throws IllegalStateException when the drawing has no such arrow
     */
    ExchangeState to(ExchangeState next) {
        boolean legal =
                switch (this) {
                    case RECEIVING -> next == QUEUED || next == SENT || next == FAILED;
                    case QUEUED -> next == SENT || next == FAILED;
                    case SENT ->
                            next == QUEUED
                                    || next == RECEIVING
                                    || next == ANSWERING
                                    || next == TUNNEL
                                    || next == FAILED;
                    case ANSWERING, TUNNEL -> next == DONE || next == FAILED;
                    case DONE, FAILED -> false;
                };
        if (!legal) {
            throw new IllegalStateException(this + " to " + next);
        }
        return next;
    }
}
