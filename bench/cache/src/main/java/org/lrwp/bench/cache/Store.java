package org.lrwp.bench.cache;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** A cache that is measured, as its own interface wants to be used. Any thread. */
interface Store extends AutoCloseable {
    /** Writes a value. */
    void put(long key, byte[] value);

    /** Reads a value; returns null when there is none. */
    byte @Nullable [] get(long key);

    /**
     * Reads a value in the way that costs least.
     *
     * @param room may be used for its bytes
     * @return its length, -1 when there is none
     */
    default int get(long key, byte[] room) {
        byte[] value = get(key);
        return value == null ? -1 : value.length;
    }

    @Override
    void close() throws IOException;
}
