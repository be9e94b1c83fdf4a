package org.lrwp.engine.exchange;

/**
 * The decision table for a request whose peer failed: docs/protocol.md section 8.
 *
 * <pre>
 *   failure            progress            answer started   method       decision
 *   -----------------  ------------------  ---------------  -----------  ---------
 *   any                any                 yes              any          CUT
 *   time-out, broken   any                 no               any          ERROR
 *   gone, stalled      not sent/started    no               any          ELSEWHERE
 *   gone, stalled      may have started    no               idempotent   ELSEWHERE once, then ERROR
 *   gone, stalled      may have started    no               other        ERROR
 * </pre>
 *
 * <p>{@link Progress#PARTLY_ANSWERED} is treated as may have started: what counts is what the
 * client has seen.
 */
enum FailureDecision {
    /** Another connection gets the request, at the head of the queue. */
    ELSEWHERE,
    /** The client gets the failure's status. */
    ERROR,
    /** The client's connection is cut, because its answer has begun. */
    CUT;

    private static final int MOST_STARTS = 2;

    /**
     * Decides.
     *
     * @param failure what happened
     * @param progress how far the request had come
     * @param idempotent whether its method allows a second start
     * @param starts how often it may have been started, this time included
     * @param answerStarted whether octets of the answer may have reached the client
     */
    static FailureDecision of(
            Failure failure,
            Progress progress,
            boolean idempotent,
            int starts,
            boolean answerStarted) {
        if (answerStarted) {
            return CUT;
        }
        if (failure != Failure.PEER_GONE && failure != Failure.PEER_STALLED) {
            return ERROR;
        }
        return switch (progress) {
            case NOT_SENT, NOT_STARTED -> ELSEWHERE;
            case MAY_HAVE_STARTED, PARTLY_ANSWERED ->
                    idempotent && starts < MOST_STARTS ? ELSEWHERE : ERROR;
        };
    }
}
