package org.lrwp.cluster;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow at their end, for {@link Wire}. Not thread-safe. */
final class WireBytes {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int USUAL = 512;

    private byte[] bytes = new byte[USUAL];
    private int length;

    /** How many there are. */
    int length() {
        return length;
    }

    /** Takes back those at the end. */
    void cut(int kept) {
        length = kept;
    }

    /** Copies some. */
    byte[] copy(int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    void add(int value) {
        room(1);
        bytes[length++] = (byte) value;
    }

    void add(boolean value) {
        add(value ? 1 : 0);
    }

    void addInt(int value) {
        room(Integer.BYTES);
        INT.set(bytes, length, value);
        length += Integer.BYTES;
    }

    void addLong(long value) {
        room(Long.BYTES);
        LONG.set(bytes, length, value);
        length += Long.BYTES;
    }

    /** Writes a number over one that is there. */
    void setInt(int at, int value) {
        INT.set(bytes, at, value);
    }

    /** Adds a text with its length before it. */
    void addText(String text) {
        addBlock(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Adds bytes with their number before them; leaves the buffer as it is. */
    void addBlock(ByteBuffer block) {
        int count = block.remaining();
        addInt(count);
        room(count);
        block.get(block.position(), bytes, length, count);
        length += count;
    }

    private void room(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }
}
