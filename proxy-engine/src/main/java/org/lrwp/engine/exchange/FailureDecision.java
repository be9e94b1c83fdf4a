package org.lrwp.engine.exchange;

/**
 * The decision table for a request whose peer failed: docs/protocol.md section 8.
 *
 * <pre>
 *   failure               progress          answer begun  method      decision
 *   --------------------  ----------------  ------------  ----------  ---------
 *   any                   any               yes           any         CUT
 *   time-out, broken,     any               no            any         ERROR
 *     cancelled
 *   refused               not started       no            any         ELSEWHERE
 *   gone, stalled         not sent/started  no            any         ELSEWHERE
 *   gone, stalled         may have started  no            idempotent  ELSEWHERE, once
 *   gone, stalled         may have started  no            other       ERROR
 * </pre>
 *
 * <p>ELSEWHERE needs the whole body from its first byte; without it the client gets the error.
 * {@link Progress#PARTLY_ANSWERED} is treated as may have started: what counts is what the client
 * has seen.
 */
enum FailureDecision {
    /** Another connection gets the request, at the head of the queue. */
    ELSEWHERE,
    /** The client gets the failure's status. */
    ERROR,
    /** The client's connection is cut, because its answer has begun. */
    CUT;

    /**
     * Decides.
     *
     * @param failure what happened
     * @param progress how far the request had come
     * @param startable whether its method allows one start more
     * @param answerStarted whether bytes of the answer may have reached the client
     */
    static FailureDecision of(
            Failure failure, Progress progress, boolean startable, boolean answerStarted) {
        if (answerStarted) {
            return CUT;
        }
        boolean left = failure == Failure.PEER_GONE || failure == Failure.PEER_STALLED;
        if (!left && failure != Failure.REFUSED) {
            return ERROR;
        }
        return switch (progress) {
            case NOT_SENT, NOT_STARTED -> ELSEWHERE;
            case MAY_HAVE_STARTED, PARTLY_ANSWERED -> startable ? ELSEWHERE : ERROR;
        };
    }
}
