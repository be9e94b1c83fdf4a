package org.lrwp.cachemap;

/** What a put did. */
public enum PutResult {
    /** There was no such entry; now there is. */
    ADDED,

    /** There was one; it has the new value now. */
    REPLACED,

    /** Nothing: an entry was there and should not have been, or the other way round. */
    REFUSED
}
