package org.lrwp.engine.peer;

/**
 * What a stream of an LRWP 3 connection is doing; which frames may come is said at {@link
 * AnswerPhase}.
 *
 * <pre>
 *   CLAIMED --REQUEST queued--> SENDING --END written--> WAITING --peer's end--> ENDED
 *      |                         |    |                     |                      ^
 *      |  nobody waits any more  |    +--peer's end---------|----------------------|
 *      |  (not yet sent: ENDED)  |    (CANCEL goes out)     |                      |
 *      +-------------------------+--------------------------+---> CANCELLED -------+
 *                                                                        peer's end
 *   in a tunnel: SENDING --peer's END--> PEER_ENDED --END written, CANCEL--> ENDED
 * </pre>
 */
enum StreamState {
    /** Taken for a request that has no stream yet. */
    CLAIMED,
    /** The request is queued or on its way. */
    SENDING,
    /** The whole request is written. */
    WAITING,
    /** Of a tunnel: the peer has ended its direction, ours goes on. */
    PEER_ENDED,
    /** CANCEL is on its way; only the peer's end frees the slot. */
    CANCELLED,
    /** The slot is free. */
    ENDED
}
