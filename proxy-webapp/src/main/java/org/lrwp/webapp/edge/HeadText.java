package org.lrwp.webapp.edge;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes of heads, put together before they are sent. Not thread-safe. */
final class HeadText {
    private static final int USUAL_LENGTH = 512;

    private byte[] bytes = new byte[USUAL_LENGTH];
    private int length;

    HeadText clear() {
        length = 0;
        return this;
    }

    /** Adds a text; each character is a byte. */
    @SuppressWarnings("deprecation") // Right for bytes, and the only copy without a detour.
    HeadText add(String text) {
        int end = grow(text.length());
        text.getBytes(0, text.length(), bytes, length);
        length = end;
        return this;
    }

    /** Adds a number of at least 0 in decimal. */
    HeadText add(long number) {
        int digits = 1;
        for (long rest = number; rest > 9; rest /= 10) {
            digits++;
        }
        int end = grow(digits);
        long rest = number;
        for (int i = end - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length = end;
        return this;
    }

    /** Adds a range of bytes. */
    HeadText add(byte[] source, int from, int to) {
        int end = grow(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length = end;
        return this;
    }

    /** Adds all bytes of a buffer, which is then used up. */
    HeadText add(ByteBuffer source) {
        int end = grow(source.remaining());
        source.get(bytes, length, end - length);
        length = end;
        return this;
    }

    private int grow(int more) {
        int end = length + more;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        return end;
    }

    int length() {
        return length;
    }

    void putInto(ByteBuffer target) {
        target.put(bytes, 0, length);
    }

    /** What was added; it shares the memory of this. */
    ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, 0, length);
    }
}
