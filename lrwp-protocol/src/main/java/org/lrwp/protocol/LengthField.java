package org.lrwp.protocol;

import java.nio.ByteBuffer;

/** The nine decimal digits that precede each part of a frame: docs/protocol.md section 4. */
public final class LengthField {
    /** Bytes of a length on the wire. */
    public static final int SIZE = 9;

    /** Greatest length that nine digits can say, in bytes. */
    public static final int MAX_VALUE = 999_999_999;

    private int digits;
    private int value;

    /** Creates a reader of one length. */
    public LengthField() {}

    /**
     * Takes digits, however they are cut.
     *
     * @param in what has arrived; bytes behind the ninth digit stay in it
     * @return whether all nine digits have been read
     * @throws MalformedFrameException when a byte is not one of {@code 0} to {@code 9}
     */
    public boolean feed(ByteBuffer in) throws MalformedFrameException {
        while (digits < SIZE && in.hasRemaining()) {
            int digit = in.get() - '0';
            if (digit < 0 || digit > 9) {
                throw new MalformedFrameException(
                        "length must be nine decimal digits; byte " + (digits + 1) + " is none");
            }
            value = value * 10 + digit;
            digits++;
        }
        return digits == SIZE;
    }

    /**
     * Returns the length.
     *
     * @return the value read, in bytes
     * @throws IllegalStateException before the ninth digit
     */
    public int value() {
        if (digits < SIZE) {
            throw new IllegalStateException("only " + digits + " of " + SIZE + " digits");
        }
        return value;
    }

    /**
     * Says whether a length has begun but not ended.
     *
     * @return true after the first and before the ninth digit
     */
    public boolean isPartial() {
        return digits > 0 && digits < SIZE;
    }

    /** Makes the reader ready for the next length. */
    public void reset() {
        digits = 0;
        value = 0;
    }

    /**
     * Writes a length as nine digits.
     *
     * @param length the length in bytes, 0 to {@link #MAX_VALUE}
     * @param target where the digits go
     * @param offset index of the first digit
     * @throws IllegalArgumentException when the length cannot be said in nine digits
     */
    public static void write(long length, byte[] target, int offset) {
        if (length < 0 || length > MAX_VALUE) {
            throw new IllegalArgumentException(
                    "length " + length + " is not within 0 to " + MAX_VALUE);
        }
        long rest = length;
        for (int i = SIZE - 1; i >= 0; i--) {
            target[offset + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /**
     * Returns a length as nine digits.
     *
     * @param length the length in bytes, 0 to {@link #MAX_VALUE}
     * @return a new array of {@link #SIZE} bytes
     * @throws IllegalArgumentException when the length cannot be said in nine digits
     */
    public static byte[] encode(long length) {
        byte[] bytes = new byte[SIZE];
        write(length, bytes, 0);
        return bytes;
    }
}
