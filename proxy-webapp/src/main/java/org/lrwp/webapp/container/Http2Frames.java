package org.lrwp.webapp.container;

import org.glassfish.grizzly.Buffer;
import org.jspecify.annotations.Nullable;

import java.util.function.LongSupplier;

/**
 * What a client of HTTP/2 has begun and not ended. Reads the heads of its frames (RFC 9113 section
 * 4.1) as its bytes pass, and keeps nothing of them. One thread at a time.
 */
final class Http2Frames {
    /** What follows the preface's first line, which reads as a request: {@code SM} and two ends. */
    private static final int REST_OF_PREFACE = 6;

    private static final int HEAD = 9;

    /** Of a frame's head, what is looked at: length, type and flags. */
    private static final int LOOKED_AT = 5;

    /** As the container announces it. */
    private static final int LONGEST_FRAME = 16384;

    private static final int MOST_FRAMES_OF_HEAD = 64;
    private static final int HEADERS = 1;
    private static final int PUSH_PROMISE = 5;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    private final LongSupplier headLimit;

    /** Bytes of the present frame's head that have come. */
    private int come;

    private long head;

    /** Bytes of the preface or of the present frame that have yet to come. */
    private int left = REST_OF_PREFACE;

    private boolean preface = true;
    private boolean headOpen;
    private boolean endsHead;
    private int heads;
    private long headBytes;
    private int headFrames;

    /**
     * Creates one for a connection.
     *
     * @param headLimit the most bytes of a head, compressed
     */
    Http2Frames(LongSupplier headLimit) {
        this.headLimit = headLimit;
    }

    /** Whether a head is not whole, or the preface, to which the client's first frame belongs. */
    boolean isOpen() {
        return preface || headOpen;
    }

    /** How many heads have begun. */
    int heads() {
        return heads;
    }

    /**
     * Looks at bytes that have come.
     *
     * @param bytes from their position to their limit; not changed
     * @return what the client may not do; null for nothing
     */
    @Nullable Http2Fault read(Buffer bytes) {
        int at = bytes.position();
        int end = bytes.limit();
        while (at < end) {
            if (left > 0) {
                int passed = Math.min(left, end - at);
                at += passed;
                left -= passed;
                if (left == 0 && come == HEAD) {
                    endFrame();
                }
                continue;
            }
            if (come < LOOKED_AT) {
                head = (head << Byte.SIZE) | (bytes.get(at) & 0xFF);
            }
            at++;
            come++;
            if (come == HEAD) {
                Http2Fault fault = beginFrame();
                if (fault != null) {
                    return fault;
                }
            }
        }
        return null;
    }

    private @Nullable Http2Fault beginFrame() {
        int flags = (int) head & 0xFF;
        int type = (int) (head >> Byte.SIZE) & 0xFF;
        left = (int) (head >> (2 * Byte.SIZE));
        if (left > LONGEST_FRAME) {
            return Http2Fault.FRAME_TOO_LONG;
        }
        if (type == HEADERS || type == PUSH_PROMISE) {
            heads++;
            headOpen = true;
            headBytes = 0;
            headFrames = 0;
        }
        // What else comes amid a head, the container refuses when it is whole.
        boolean ofHead = type == HEADERS || type == PUSH_PROMISE || type == CONTINUATION;
        if (ofHead) {
            headBytes += left;
            headFrames++;
            if (headBytes > headLimit.getAsLong()) {
                return Http2Fault.HEAD_TOO_LONG;
            }
            if (headFrames > MOST_FRAMES_OF_HEAD) {
                return Http2Fault.HEAD_IN_TOO_MANY_FRAMES;
            }
        }
        endsHead = ofHead && (flags & END_HEADERS) != 0;
        if (left == 0) {
            endFrame();
        }
        return null;
    }

    private void endFrame() {
        come = 0;
        head = 0;
        preface = false;
        if (endsHead) {
            headOpen = false;
        }
    }
}
