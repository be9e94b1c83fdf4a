package org.lrwp.sdk;

/** A handler at work on one stream. Called without locks; each method returns at once. */
interface StreamCall {
    /** The handler may be entered: STARTED is written. */
    void start();

    /** More of the body, or its end, has come. */
    void bodyArrived();

    /** More of the answer is welcome. */
    void roomAgain();

    /** Nobody waits for the answer any more. */
    void cancel(String reason);

    /** The peer's direction has ended; nothing of the answer is looked at any more. */
    void end();
}
