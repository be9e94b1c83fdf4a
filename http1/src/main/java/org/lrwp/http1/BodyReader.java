package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * Finds the body of one request in the bytes behind its head: RFC 9112 sections 6 and 7. Not
 * thread-safe; never blocks.
 */
public abstract sealed class BodyReader permits SizedBody, ChunkedBody {
    BodyReader() {}

    /**
     * Creates the reader of a body.
     *
     * @param head of its request
     * @param mostOverhead limit of the bytes of chunk extensions and trailers of the whole body, at
     *     least 1; above it 400
     * @return a reader that is at the first byte behind the head
     */
    public static BodyReader of(HttpHead head, int mostOverhead) {
        return head.framing() == Framing.CHUNKED
                ? new ChunkedBody(mostOverhead)
                : new SizedBody(head.bodyLength());
    }

    /**
     * Takes bytes up to the end of a piece of the body, or to the end of the body.
     *
     * @param source its position moves behind what was taken; never behind the end of the body
     * @return a piece of the body that shares the source's memory, not empty; null when there is
     *     none in the bytes that were taken: then the body is whole, or the source is used up
     * @throws MalformedRequestException when the chunks break a rule or the limit
     */
    public abstract @Nullable ByteBuffer next(ByteBuffer source) throws MalformedRequestException;

    /**
     * Says whether the body has ended.
     *
     * @return whether all of it, with chunks and trailers, has been taken
     */
    public abstract boolean isWhole();

    /**
     * Returns what is still to come.
     *
     * @return bytes; -1 when the end alone will tell
     */
    public abstract long missing();
}
