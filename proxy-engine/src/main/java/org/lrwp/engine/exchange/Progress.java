package org.lrwp.engine.exchange;

/** How far a request had come with a peer when the peer failed. */
public enum Progress {
    /** No byte was written. */
    NOT_SENT,
    /** Bytes were written, but not enough for the peer to start on it. */
    NOT_STARTED,
    /** The peer may have started. */
    MAY_HAVE_STARTED,
    /** Part of the answer has arrived. */
    PARTLY_ANSWERED
}
