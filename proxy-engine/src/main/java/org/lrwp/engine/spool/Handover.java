package org.lrwp.engine.spool;

import java.nio.ByteBuffer;

/** Whose the bytes are that are added to a spool. */
public enum Handover {
    /** Still who adds them: they are copied. */
    COPIED,
    /** The spool's from now on, with their array; they take of the memory for bodies. */
    GIVEN,
    /**
     * Whoever added them; they are not changed until the spool is closed, and take nothing of the
     * memory for bodies.
     */
    LENT,
    /**
     * Whoever added them, up to {@link Spool#settle}: then those that nobody has read are copied.
     */
    BORROWED;

    /**
     * Says how a spool gets bytes that nobody else needs any more.
     *
     * @param bytes backed by an array
     * @return {@link #GIVEN}; {@link #COPIED} when most of the array could be something else
     */
    public static Handover ofUnused(ByteBuffer bytes) {
        return bytes.remaining() >= bytes.capacity() / 2 ? GIVEN : COPIED;
    }
}
