package org.lrwp.protocol.frame;

import java.nio.ByteBuffer;

/**
 * The twelve bytes before each payload: docs/protocol.md section 13.
 *
 * <pre>
 *  0               4       5       6               8              12
 *  | length (u32)  | type  | flags | reserved (0)  | stream (u32) |
 * </pre>
 */
public final class FrameHead {
    /** Bytes of a head. */
    public static final int SIZE = 12;

    /** The flag of the last frame of a direction of a stream. */
    static final int END = 1;

    static final int TYPE = 4;
    static final int FLAGS = 5;
    static final int STREAM = 8;

    private FrameHead() {}

    /**
     * Writes a head.
     *
     * @param out where it goes: a big-endian buffer with room for {@link #SIZE} bytes
     * @param type the type
     * @param end whether this is the last frame of the sender's direction of the stream; only for
     *     types that {@linkplain FrameType#mayEnd() may end} one
     * @param stream the stream, unsigned; 0 is the connection
     * @param length bytes of the payload, 0 or more
     * @throws IllegalArgumentException when the length is negative or the type cannot end a stream
     */
    public static void write(ByteBuffer out, FrameType type, boolean end, int stream, int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length " + length + " is negative");
        }
        if (end && !type.mayEnd()) {
            throw new IllegalArgumentException(type + " cannot end a stream");
        }
        out.putInt(length);
        out.putInt(type.code() << 24 | (end ? END << 16 : 0));
        out.putInt(stream);
    }

    /**
     * Returns a head.
     *
     * @param type the type
     * @param end whether this is the last frame of the sender's direction of the stream
     * @param stream the stream, unsigned; 0 is the connection
     * @param length bytes of the payload, 0 or more
     * @return a new array of {@link #SIZE} bytes
     * @throws IllegalArgumentException when the length is negative or the type cannot end a stream
     */
    public static byte[] of(FrameType type, boolean end, int stream, int length) {
        byte[] bytes = new byte[SIZE];
        write(ByteBuffer.wrap(bytes), type, end, stream, length);
        return bytes;
    }
}
