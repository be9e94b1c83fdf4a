package org.lrwp.engine.peer.local;

/**
 * What a local peer is doing.
 *
 * <pre>
 *   OPEN --proxy drains--> DRAINING --last answer--> CLOSED
 *     +----------------------+------- close ----------^
 * </pre>
 */
enum LocalState {
    /** It takes requests. */
    OPEN,
    /** It takes no more requests; those it has go on. */
    DRAINING,
    /** It has no requests any more. */
    CLOSED
}
