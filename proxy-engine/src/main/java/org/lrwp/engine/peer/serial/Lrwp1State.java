package org.lrwp.engine.peer.serial;

/**
 * What an LRWP 1 or 2 connection is doing.
 *
 * <pre>
 *   SETTLING --settle time--> IDLE <--claim/release--> CLAIMED --first write--> SENDING
 *                              ^                                                 |   |
 *                              |         answer whole                            |   | all written
 *                              +------------------------- WAITING <--------------|---+
 *                              |         all written                             v
 *                              +------------------------------------- FINISHING (answered early)
 *   any --> CLOSED
 * </pre>
 */
enum Lrwp1State {
    /** Acknowledged a moment ago: its peer may still be reading the acknowledgement. */
    SETTLING,
    /** Free. */
    IDLE,
    /** Taken for a request that has not been written yet. */
    CLAIMED,
    /** The request is being written. */
    SENDING,
    /** The whole request is written; the answer is awaited or coming in. */
    WAITING,
    /** The answer is whole, but the peer has not taken all of its request. */
    FINISHING,
    /** Gone. */
    CLOSED
}
