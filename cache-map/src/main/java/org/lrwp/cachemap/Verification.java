package org.lrwp.cachemap;

/**
 * When the checksum of a value is compared. A value that fails is dropped and counted as a miss.
 */
public enum Verification {
    /**
     * At the first read of each entry that was in the file when it was opened, and of all entries
     * of a segment in which the process before died. What this process wrote is believed.
     */
    FIRST_READ,

    /** At each read; for memory or programs that cannot be trusted. */
    EVERY_READ
}
