package org.lrwp.engine.peer;

/**
 * What one request of a local peer is doing.
 *
 * <pre>
 *   CLAIMED --send--> RUNNING --head--> ANSWERING --whole--> COMPLETE --passed on--> ENDED
 *      |                 |                  |                   |                      ^
 *      +-nobody waits----+---- gives up ----+-------------------+----------------------|
 *                        |                  |                                          |
 *                        +--nobody waits,---+--> CANCELLED --the module lets go of it--+
 *                             or too late
 * </pre>
 */
enum LocalCallState {
    /** Taken for a request that has not come. */
    CLAIMED,
    /** The module has the request. */
    RUNNING,
    /** The answer has begun. */
    ANSWERING,
    /** The module has given the whole answer; the client has yet to take some of it. */
    COMPLETE,
    /** Nobody waits, but only the module's word frees the slot. */
    CANCELLED,
    /** The slot is free. */
    ENDED;

    /** Whether somebody waits for the answer. */
    boolean isLive() {
        return this == RUNNING || this == ANSWERING || this == COMPLETE;
    }
}
