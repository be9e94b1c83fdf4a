package org.lrwp.protocol;

import java.nio.ByteBuffer;

/**
 * Reads, for a proxy, the frame of an answer: a length and that many bytes of CGI output:
 * docs/protocol.md section 5.
 *
 * <p>Nothing is copied: {@link #take} cuts the frame's bytes out of the buffer. Not thread-safe;
 * {@link #reset()} makes it ready for the next frame.
 */
public final class ResponseFrameParser {
    private final LengthField length = new LengthField();
    private boolean lengthKnown;
    private int remaining;

    /** Creates a parser for one connection. */
    public ResponseFrameParser() {}

    /**
     * Takes the digits of the length.
     *
     * @param in what has arrived; bytes behind the ninth digit stay in it
     * @return whether the length is known
     * @throws MalformedFrameException when the length is not nine digits
     */
    public boolean feedLength(ByteBuffer in) throws MalformedFrameException {
        if (!lengthKnown && length.feed(in)) {
            lengthKnown = true;
            remaining = length.value();
        }
        return lengthKnown;
    }

    /**
     * Cuts the next bytes of the frame out of a buffer.
     *
     * @param in what has arrived; bytes behind the frame stay in it
     * @return a view of the bytes, possibly empty; valid as long as the buffer's content is
     */
    public ByteBuffer take(ByteBuffer in) {
        int count = lengthKnown ? Math.min(remaining, in.remaining()) : 0;
        ByteBuffer bytes = in.slice(in.position(), count);
        in.position(in.position() + count);
        remaining -= count;
        return bytes;
    }

    /**
     * Returns the length of the frame.
     *
     * @return bytes of the whole CGI output
     * @throws IllegalStateException before it is known
     */
    public int length() {
        return length.value();
    }

    /**
     * Returns what is still to come.
     *
     * @return bytes of the frame not yet taken; 0 before the length is known
     */
    public int remaining() {
        return remaining;
    }

    /**
     * Says whether bytes of the frame have come.
     *
     * @return true from the first digit of the length on
     */
    public boolean hasBegun() {
        return lengthKnown || length.isPartial();
    }

    /**
     * Says whether the frame is whole.
     *
     * @return whether the length is known and all bytes have been taken
     */
    public boolean isComplete() {
        return lengthKnown && remaining == 0;
    }

    /** Makes the parser ready for the next frame. */
    public void reset() {
        length.reset();
        lengthKnown = false;
        remaining = 0;
    }
}
