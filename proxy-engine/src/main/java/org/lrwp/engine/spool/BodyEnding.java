package org.lrwp.engine.spool;

/** How a body ends, as whoever reads it sees it. */
public enum BodyEnding {
    /** More bytes are there or may come. */
    OPEN,
    /** All bytes have been read. */
    COMPLETE,
    /** The rest will never come. */
    BROKEN
}
