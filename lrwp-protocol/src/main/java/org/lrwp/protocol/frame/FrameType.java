package org.lrwp.protocol.frame;

import org.jspecify.annotations.Nullable;

/** What a frame means: docs/protocol.md section 13. */
public enum FrameType {
    /** What each side can do; the first frame of either. */
    SETTINGS(1),
    /** One more context on this connection. */
    REGISTER(2),
    /** One context fewer on this connection. */
    UNREGISTER(3),
    /** The answer to {@link #REGISTER} and {@link #UNREGISTER}. */
    REGISTERED(4),
    /** A request: env block and first bytes of the body. */
    REQUEST(5),
    /** An answer: CGI head and first bytes of the body. */
    RESPONSE(6),
    /** More of a body, in either direction. */
    DATA(7),
    /** The handler is about to be entered. */
    STARTED(8),
    /** The request was not started and will not be. */
    REFUSED(9),
    /** The sender's direction ends before its time. */
    CANCEL(10),
    /** So many more bytes of body are welcome. */
    WINDOW(11),
    /** How many requests at once the peer takes from now on. */
    CAPACITY(12),
    /** No new requests on this connection. */
    DRAIN(13),
    /** Asks for a {@link #PONG}. */
    PING(14),
    /** The answer to a {@link #PING}, with its bytes. */
    PONG(15),
    /** A rule was broken; the connection ends. */
    ERROR(16);

    private static final FrameType[] TYPES = values();

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    /**
     * Returns the number of this type on the wire.
     *
     * @return 1 to 16
     */
    public int code() {
        return code;
    }

    /**
     * Returns the type that a number on the wire stands for.
     *
     * @param code any number
     * @return the type, or null when it is not known: such frames are skipped
     */
    public static @Nullable FrameType of(int code) {
        return code >= 1 && code <= TYPES.length ? TYPES[code - 1] : null;
    }

    /**
     * Says whether the END flag means something on this type.
     *
     * @return true for the frames that carry a body
     */
    public boolean mayEnd() {
        return this == REQUEST || this == RESPONSE || this == DATA;
    }
}
