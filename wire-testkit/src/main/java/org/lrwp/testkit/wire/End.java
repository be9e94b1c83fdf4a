package org.lrwp.testkit.wire;

/** How the other side of a connection has ended it, if it has. */
public enum End {
    /** In order, by FIN. */
    FIN,
    /** By RST. */
    RESET,
    /** It has not: nothing came within the time. */
    OPEN,
    /** It has not: bytes came. */
    BYTES
}
