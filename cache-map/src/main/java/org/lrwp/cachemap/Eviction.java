package org.lrwp.cachemap;

/**
 * Who goes when there is no room. A value that replaces one of the same size, to 8 bytes, takes its
 * place and its age while that is in the younger half of its ring; any other one is new.
 */
public enum Eviction {
    /** The oldest goes. */
    FIFO,

    /**
     * The oldest goes, unless it was read since it was written or last spared: then it moves up.
     */
    REFERENCE_BIT,

    /**
     * A new entry has to be read, or put again soon after it went, before it gets a place among
     * those that {@link #REFERENCE_BIT} keeps. One tenth of the room is for new entries: a scan
     * over many keys displaces no more than that.
     */
    GHOST
}
