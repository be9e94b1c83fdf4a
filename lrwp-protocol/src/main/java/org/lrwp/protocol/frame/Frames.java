package org.lrwp.protocol.frame;

import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The small frames, written whole, and the readers of their payloads: docs/protocol.md section 13.
 */
public final class Frames {
    /** Most bytes of a text that these frames carry; longer ones are cut when they are written. */
    public static final int MAX_TEXT = 1_000;

    /** Greatest number of four bytes. */
    static final long MAX_U32 = 0xFFFF_FFFFL;

    private static final int U32 = Integer.BYTES;
    private static final int OPAQUE = Long.BYTES;

    private Frames() {}

    /**
     * Returns a frame that asks for a context, or gives one up.
     *
     * @param type REGISTER or UNREGISTER
     * @param name the names
     * @return the whole frame
     */
    public static byte[] register(FrameType type, ContextName name) {
        checkType(type == FrameType.REGISTER || type == FrameType.UNREGISTER, type);
        return whole(type, 0, name.encode());
    }

    /**
     * Returns the answer to REGISTER or UNREGISTER.
     *
     * @param name the names as they were sent
     * @param text empty when it is done, else why not
     * @return the whole frame
     */
    public static byte[] registered(ContextName name, String text) {
        return new RegisteredAnswer(name, text).encode();
    }

    /**
     * Returns the frame that says that a handler is about to be entered.
     *
     * @param stream its stream
     * @return the whole frame
     */
    public static byte[] started(int stream) {
        return FrameHead.of(FrameType.STARTED, false, stream, 0);
    }

    /**
     * Returns a frame that carries a reason.
     *
     * @param type REFUSED, CANCEL or ERROR
     * @param stream its stream, 0 for ERROR
     * @param reason the reason for the log; characters that are no bytes are replaced, and what is
     *     above {@link #MAX_TEXT} is cut off
     * @return the whole frame
     */
    public static byte[] text(FrameType type, int stream, String reason) {
        checkType(
                type == FrameType.REFUSED || type == FrameType.CANCEL || type == FrameType.ERROR,
                type);
        return whole(type, stream, safe(reason).getBytes(StandardCharsets.ISO_8859_1));
    }

    /**
     * Returns a frame that grants bytes of body.
     *
     * @param stream its stream
     * @param credit bytes, 0 to 4,294,967,295
     * @return the whole frame
     */
    public static byte[] window(int stream, long credit) {
        if (credit < 0 || credit > MAX_U32) {
            throw new IllegalArgumentException("credit " + credit + " is not within four bytes");
        }
        return u32(FrameType.WINDOW, stream, (int) credit);
    }

    /**
     * Returns a frame that says how many requests at once the peer takes.
     *
     * @param capacity requests, 0 for none
     * @return the whole frame
     */
    public static byte[] capacity(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("capacity " + capacity + " is negative");
        }
        return u32(FrameType.CAPACITY, 0, capacity);
    }

    /**
     * Returns the frame after which no new requests come.
     *
     * @return the whole frame
     */
    public static byte[] drain() {
        return FrameHead.of(FrameType.DRAIN, false, 0, 0);
    }

    /**
     * Returns a frame that asks for a sign of life.
     *
     * @param opaque what the answer will hold
     * @return the whole frame
     */
    public static byte[] ping(long opaque) {
        return opaque(FrameType.PING, opaque);
    }

    /**
     * Returns the answer to a PING.
     *
     * @param eight the payload of the PING; used up
     * @return the whole frame
     * @throws MalformedFrameException when the PING has not 8 bytes
     */
    public static byte[] pong(ByteBuffer eight) throws MalformedFrameException {
        return opaque(FrameType.PONG, opaque(eight));
    }

    /**
     * Reads the payload of a WINDOW frame.
     *
     * @param payload the payload; used up
     * @return bytes, 0 to 4,294,967,295
     * @throws MalformedFrameException when it has not 4 bytes
     */
    public static long credit(ByteBuffer payload) throws MalformedFrameException {
        return u32(FrameType.WINDOW, payload);
    }

    /**
     * Reads the payload of a CAPACITY frame.
     *
     * @param payload the payload; used up
     * @return requests, 0 to 4,294,967,295
     * @throws MalformedFrameException when it has not 4 bytes
     */
    public static long capacity(ByteBuffer payload) throws MalformedFrameException {
        return u32(FrameType.CAPACITY, payload);
    }

    /**
     * Reads the payload of a PING or PONG frame.
     *
     * @param payload the payload; used up
     * @return its bytes
     * @throws MalformedFrameException when they are not 8
     */
    public static long opaque(ByteBuffer payload) throws MalformedFrameException {
        if (payload.remaining() != OPAQUE) {
            throw new MalformedFrameException(
                    "PING and PONG have " + OPAQUE + " bytes, not " + payload.remaining());
        }
        return payload.getLong();
    }

    /**
     * Reads the payload of a frame that carries a reason.
     *
     * @param payload the payload; used up
     * @return the text, one byte per character, at most {@link #MAX_TEXT} of them
     */
    public static String text(ByteBuffer payload) {
        int count = Math.min(payload.remaining(), MAX_TEXT);
        byte[] bytes = new byte[count];
        payload.get(bytes).position(payload.limit());
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Returns a text in which each character is one byte, not longer than allowed. */
    static String safe(String text) {
        String cut = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
        // The encoder puts a question mark in place of what it cannot encode.
        byte[] bytes = cut.getBytes(StandardCharsets.ISO_8859_1);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Returns a frame of head and payload. */
    static byte[] whole(FrameType type, int stream, byte[] payload) {
        return frame(type, stream, payload.length).put(payload).array();
    }

    private static byte[] u32(FrameType type, int stream, int value) {
        return frame(type, stream, U32).putInt(value).array();
    }

    private static byte[] opaque(FrameType type, long bytes) {
        return frame(type, 0, OPAQUE).putLong(bytes).array();
    }

    private static ByteBuffer frame(FrameType type, int stream, int length) {
        ByteBuffer frame = ByteBuffer.allocate(FrameHead.SIZE + length);
        FrameHead.write(frame, type, false, stream, length);
        return frame;
    }

    private static long u32(FrameType type, ByteBuffer payload) throws MalformedFrameException {
        if (payload.remaining() != U32) {
            throw new MalformedFrameException(
                    type + " has " + U32 + " bytes, not " + payload.remaining());
        }
        return payload.getInt() & MAX_U32;
    }

    private static void checkType(boolean right, FrameType type) {
        if (!right) {
            throw new IllegalArgumentException("not for " + type);
        }
    }
}
