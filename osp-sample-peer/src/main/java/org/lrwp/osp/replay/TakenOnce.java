package org.lrwp.osp.replay;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;

/** Remembers what has been taken, so that it is not taken again. Any thread may call it. */
@FunctionalInterface
public interface TakenOnce extends AutoCloseable {
    /** What became of a thing that was shown. */
    enum Outcome {
        /** It was not taken before, and is now. */
        FIRST,
        /** It was taken before. */
        AGAIN,
        /** It cannot be remembered, so it may not be taken: too many are, or the disk fails. */
        NOT_KEPT
    }

    /** What kind of thing is taken; things of different kinds never meet. */
    enum Kind {
        /** A token that a gateway shows. */
        TOKEN,
        /** A component of a message that a device has signed. */
        COMPONENT;

        private static final int LENGTH = 16;

        /**
         * Returns what a thing of this kind is remembered by.
         *
         * @param content what tells it from all others
         * @return 16 bytes
         */
        public byte[] id(byte[] content) {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                digest.update((byte) name().charAt(0));
                return Arrays.copyOf(digest.digest(content), LENGTH);
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException("every JDK has SHA-256", impossible);
            }
        }
    }

    /**
     * Takes a thing; may block on the disk, or on the database.
     *
     * @param kind what it is
     * @param content what tells it from all others
     * @param until from when on nobody takes it anyway: it may be forgotten then
     * @return what became of it
     */
    Outcome take(Kind kind, byte[] content, Instant until);

    /** Gives back what it has open; what was taken stays. */
    @Override
    default void close() {}
}
