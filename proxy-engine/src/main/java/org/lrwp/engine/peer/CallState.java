package org.lrwp.engine.peer;

/**
 * What one request of a connection with many slots is doing, whatever the wire.
 *
 * <pre>
 *   CLAIMED --begin--> RUNNING --head--> ANSWERING --peer's end--> COMPLETE --our end--> ENDED
 *      |                  |                  |                        |                    ^
 *      |                  +----- peer gives up, its whole answer -----+--------------------|
 *      |                  |                  |                                             |
 *      |                  +--nobody waits,---+--> CANCELLED --------peer's end-------------+
 *      |                       or too late            ^
 *      +--nobody waits any more-----------------------+
 * </pre>
 */
public enum CallState {
    /** Taken for a request that has not come. */
    CLAIMED,
    /** The peer has the request, or is being sent it. */
    RUNNING,
    /** The answer has begun. */
    ANSWERING,
    /**
     * The peer has said its end, and ours is due: a module's client has yet to take some of the
     * answer, or a tunnel's client has not ended.
     */
    COMPLETE,
    /** Nobody waits, but only the peer's end frees the slot. */
    CANCELLED,
    /** The slot is free. */
    ENDED;

    /** {@return whether somebody waits for the answer} */
    public boolean isLive() {
        return this == RUNNING || this == ANSWERING || this == COMPLETE;
    }
}
