package org.lrwp.sdk;

import java.io.OutputStream;

/** Writes the body of a streamed answer. */
@FunctionalInterface
public interface BodyWriter {
    /**
     * Writes the body. Called once, on the thread of the handler, after it has returned.
     *
     * @param out where to; collects bytes until it is flushed or has many, each flush is on its way
     *     to the client at once, the first one with the head of the answer. Writing blocks while
     *     the proxy has enough, and throws an {@code IOException} when the request was cancelled.
     *     Closing it is not needed
     * @throws Exception for any failure; the client gets 500 when nothing was flushed, else its
     *     connection is cut
     */
    void writeTo(OutputStream out) throws Exception;
}
