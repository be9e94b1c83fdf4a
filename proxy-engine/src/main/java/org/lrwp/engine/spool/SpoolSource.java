package org.lrwp.engine.spool;

/** What who adds to a spool has said last, or what became of the spool. */
enum SpoolSource {
    /** More may come. */
    OPEN,
    /** All has been added. */
    COMPLETE,
    /** The rest will never come. */
    BROKEN,
    /** Memory and file are given back. */
    CLOSED;

    /** Whether nobody gets what is added. */
    boolean isGivenUp() {
        return this == BROKEN || this == CLOSED;
    }
}
