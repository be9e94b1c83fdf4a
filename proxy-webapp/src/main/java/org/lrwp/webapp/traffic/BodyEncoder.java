package org.lrwp.webapp.traffic;

import java.nio.ByteBuffer;

/**
 * Compresses one body, piece by piece. What it returns is ready for the client, maybe nothing, and
 * is not touched any more. Has memory outside the heap until {@link #close}. Not thread-safe; never
 * blocks.
 */
interface BodyEncoder extends AutoCloseable {
    /** Takes bytes. */
    ByteBuffer add(ByteBuffer bytes);

    /** Returns all that was taken, so that the client can read it now. */
    ByteBuffer flush();

    /** Returns the rest, and the end. */
    ByteBuffer end();

    @Override
    void close();
}
