package org.lrwp.webapp.client;

/**
 * Sends an answer whenever its client can take more. Called in the request's turns, but for {@link
 * #isBlocked} and {@link #written}, which any thread may ask.
 */
interface Sender {
    /** How far the answer has come. */
    enum Progress {
        /** Waiting for bytes or for the client. */
        OPEN,
        /** The connection has all of it. */
        COMPLETE,
        /** The rest will never come. */
        BROKEN,
        /** The client cannot be written to any more. */
        GONE
    }

    /** Writes what can be written now. */
    Progress goOn();

    /** Whether bytes wait for the client. */
    boolean isBlocked();

    /** Bytes that the connection has taken so far. */
    long written();
}
