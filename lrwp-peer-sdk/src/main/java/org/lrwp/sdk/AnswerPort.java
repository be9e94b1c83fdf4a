package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * Where the answer of one exchange goes, whatever the version. Every method returns at once; any
 * thread.
 */
interface AnswerPort {
    /** Returns the most bytes that the CGI head of an answer can have. */
    int maxHead();

    /** Says that the handler is about to be entered; false when it must not be. */
    boolean enter();

    /** Says that the request was not started and never will be; false when it is too late. */
    boolean refuse(String reason);

    /**
     * Gives the next part of the answer.
     *
     * @param head the CGI head, with the first part only
     * @param bytes body; not copied
     * @param complete whether this is the last part
     * @return whether more is welcome
     */
    boolean send(byte @Nullable [] head, @Nullable ByteBuffer bytes, boolean complete);

    /**
     * Goes over to another protocol: both directions go on, and each ends on its own.
     *
     * @param head the CGI head of the 101
     */
    default void upgrade(byte[] head) {
        throw new IllegalStateException("no upgrade was asked for");
    }

    /** Gives the exchange up. */
    void cancel(String reason);
}
