package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/** Bytes on their way to a peer, as whoever sends them sees them. Thread-safe; never blocks. */
public interface BodySource {
    /**
     * Takes the next bytes.
     *
     * @return at least one byte, the reader's own; null when there are none at present
     */
    @Nullable ByteBuffer poll();

    /**
     * Says how the bytes end.
     *
     * @return {@link BodyEnding#OPEN} as long as bytes are unread or may come
     */
    BodyEnding ending();

    /**
     * Says whether nothing more will be added.
     *
     * @return true when the last byte is there, read or not
     */
    boolean isWhole();

    /**
     * Says how much waits to be read.
     *
     * @return in bytes
     */
    long unread();

    /**
     * Sets who is told of bytes and of the end.
     *
     * @param listener called after each change, by any thread; must not block
     */
    void onReady(Runnable listener);
}
