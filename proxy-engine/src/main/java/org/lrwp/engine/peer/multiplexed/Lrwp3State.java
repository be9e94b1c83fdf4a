package org.lrwp.engine.peer.multiplexed;

/**
 * What an LRWP 3 connection is doing.
 *
 * <pre>
 *   GREETING --SETTINGS--> OPEN --DRAIN, from either side--> DRAINING
 *      |                    |                                   |
 *      |  broken rule       | broken rule, unasked end          | last stream ended
 *      +--------------------+-----------------------------------+----> ENDING --FIN, 1 s--> CLOSED
 *   any --end of input, connection failed--> CLOSED
 * </pre>
 */
enum Lrwp3State {
    /** Let in; the peer's SETTINGS have not come. */
    GREETING,
    /** Takes requests. */
    OPEN,
    /** Takes no more requests; those it has go on. */
    DRAINING,
    /** Our last frame is out or on its way; what still comes is dropped. */
    ENDING,
    /** Gone. */
    CLOSED;

    /** Whether frames of the peer still count. */
    boolean isListening() {
        return this == GREETING || this == OPEN || this == DRAINING;
    }
}
