package org.lrwp.engine.peer;

/**
 * How far the peer's direction of a stream has come: NOTHING, then perhaps STARTED, then perhaps
 * ANSWERING.
 */
enum AnswerPhase {
    /** Neither STARTED nor RESPONSE has come. */
    NOTHING,
    /** STARTED has come. */
    STARTED,
    /** RESPONSE has come; DATA may follow. */
    ANSWERING
}
