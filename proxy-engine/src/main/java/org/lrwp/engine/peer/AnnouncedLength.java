package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/** How many bytes of an answer are still to come, when its head has said it. One thread. */
public final class AnnouncedLength {
    private static final long UNKNOWN = -1;

    /** Of an answer whose head has not said it: nothing is counted, so that all share it. */
    static final AnnouncedLength NONE = new AnnouncedLength(UNKNOWN);

    private long left;

    private AnnouncedLength(long left) {
        this.left = left;
    }

    /** What a head says; nothing is expected of an answer without a body. */
    static AnnouncedLength of(@Nullable Long said, boolean bodyless) {
        return said == null || bodyless ? NONE : new AnnouncedLength(said);
    }

    /**
     * Counts bytes, and cuts off those that are too many.
     *
     * @param bytes the next ones
     * @return false when there were too many
     */
    public boolean take(ByteBuffer bytes) {
        if (left == UNKNOWN) {
            return true;
        }
        boolean within = bytes.remaining() <= left;
        if (!within) {
            bytes.limit(bytes.position() + (int) left);
        }
        left -= bytes.remaining();
        return within;
    }

    /**
     * Counts bytes that can be taken whole or not at all.
     *
     * @param bytes how many
     * @return false when there were too many, and none is counted
     */
    public boolean take(long bytes) {
        if (left == UNKNOWN) {
            return true;
        }
        boolean within = bytes <= left;
        if (within) {
            left -= bytes;
        }
        return within;
    }

    /** {@return whether fewer bytes have come than were announced} */
    public boolean isShort() {
        return left > 0;
    }

    /** {@return whether all that was announced has come; false when nothing was announced} */
    public boolean isReached() {
        return left == 0;
    }
}
