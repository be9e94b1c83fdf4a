package org.lrwp.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Builds the head of a request frame: the env block between its own length and the body's:
 * docs/protocol.md section 4.
 *
 * <pre>
 *   NNNNNNNNN  NAME=VALUE NUL NAME=VALUE NUL ... NUL  MMMMMMMMM
 * </pre>
 *
 * <p>A variable is added at once, or in pieces: {@link #start}, {@link #append}, {@link #end}.
 * After an exception the block is as it was before that variable. A writer makes one block after
 * the other, in the same memory. Not thread-safe.
 */
public final class EnvBlockWriter {
    private static final int USUAL_ROOM = 2048;

    /** What is kept from one block to the next at most. */
    private static final int MOST_KEPT = 16 * 1024;

    private int limit;
    private byte[] bytes = {};
    private ByteBuffer frame = ByteBuffer.wrap(bytes);
    private int position = LengthField.SIZE;

    /** Where the present variable begins. */
    private int begun = LengthField.SIZE;

    /** Creates a writer, which has no memory before its first block. */
    public EnvBlockWriter() {}

    /**
     * Begins a block; what {@link #finish} returned of the last one is not to be used any more.
     *
     * @param most bytes of the env block with all its NULs, at least 1
     */
    public void begin(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("limit " + most);
        }
        limit = most;
        position = LengthField.SIZE;
        begun = position;
        if (bytes.length == 0 || bytes.length > MOST_KEPT) {
            hold(new byte[Math.min(USUAL_ROOM, most) + 2 * LengthField.SIZE]);
        }
    }

    /**
     * Adds one variable.
     *
     * @param name its name: one byte per character, not empty, without {@code =} and NUL
     * @param value its value: one byte per character, without NUL; may be empty
     * @throws MalformedFrameException when a character cannot be sent or the block passes its limit
     */
    public void add(String name, String value) throws MalformedFrameException {
        if (name.isEmpty()) {
            throw new MalformedFrameException("env variable without name");
        }
        begun = position;
        append(name, 0, name.length(), '=');
        ensure(1);
        bytes[position++] = '=';
        append(value, 0, value.length(), '\0');
        end();
    }

    /**
     * Adds variables that were encoded before.
     *
     * @param variables names, values and NULs as in the block
     * @throws MalformedFrameException when the block passes its limit
     */
    public void addEncoded(byte[] variables) throws MalformedFrameException {
        begun = position;
        append(variables, 0, variables.length);
    }

    /**
     * Adds a variable whose name was encoded before.
     *
     * @param name with the {@code =}
     * @param source holds the value; none of its bytes is NUL
     * @param from index of its first byte
     * @param to behind its last
     * @throws MalformedFrameException when the block passes its limit
     */
    public void add(byte[] name, byte[] source, int from, int to) throws MalformedFrameException {
        begun = position;
        int length = to - from;
        ensure(name.length + length + 1);
        System.arraycopy(name, 0, bytes, position, name.length);
        System.arraycopy(source, from, bytes, position + name.length, length);
        position += name.length + length + 1;
        bytes[position - 1] = 0;
    }

    /**
     * Begins a variable.
     *
     * @param name its name with the {@code =}, encoded
     * @throws MalformedFrameException when the block passes its limit
     */
    public void start(byte[] name) throws MalformedFrameException {
        begun = position;
        append(name, 0, name.length);
    }

    /**
     * Adds bytes to what was begun.
     *
     * @param source holds them; none is NUL
     * @param from index of the first
     * @param to behind the last
     * @throws MalformedFrameException when the block passes its limit
     */
    public void append(byte[] source, int from, int to) throws MalformedFrameException {
        ensure(to - from);
        System.arraycopy(source, from, bytes, position, to - from);
        position += to - from;
    }

    /**
     * Adds a text to the value that was begun.
     *
     * @param text one byte per character, without NUL
     * @throws MalformedFrameException when a character cannot be sent or the block passes its limit
     */
    public void append(String text) throws MalformedFrameException {
        append(text, 0, text.length(), '\0');
    }

    /**
     * Adds a part of a text to the value that was begun.
     *
     * @param text one byte per character, without NUL
     * @param from index of the first character
     * @param to behind the last character
     * @throws MalformedFrameException when a character cannot be sent or the block passes its limit
     */
    public void append(String text, int from, int to) throws MalformedFrameException {
        append(text, from, to, '\0');
    }

    /**
     * Adds a number to the value that was begun.
     *
     * @param number 0 or more, in decimal digits
     * @throws MalformedFrameException when the block passes its limit
     */
    public void append(long number) throws MalformedFrameException {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        ensure(digits);
        position += digits;
        long rest = number;
        for (int i = 1; i <= digits; i++) {
            bytes[position - i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /**
     * Ends the variable that was begun.
     *
     * @throws MalformedFrameException when the block passes its limit
     */
    public void end() throws MalformedFrameException {
        ensure(1);
        bytes[position++] = 0;
    }

    private void append(String text, int from, int to, char forbidden)
            throws MalformedFrameException {
        ensure(to - from);
        int end = position;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == 0 || c > 0xFF || c == forbidden) {
                position = begun;
                throw new MalformedFrameException(
                        "env variable holds a character that cannot be sent: 0x"
                                + Integer.toHexString(c));
            }
            bytes[end++] = (byte) c;
        }
        position = end;
    }

    private void hold(byte[] memory) {
        bytes = memory;
        frame = ByteBuffer.wrap(memory);
    }

    /** Makes room, with that for the last NUL and the length of the body. */
    private void ensure(int needed) throws MalformedFrameException {
        int used = position - LengthField.SIZE;
        if (used + (long) needed + 1 > limit) {
            position = begun;
            throw new MalformedFrameException("env block above its limit of " + limit + " bytes");
        }
        int wanted = position + needed + 1 + LengthField.SIZE;
        if (wanted > bytes.length) {
            hold(Arrays.copyOf(bytes, Math.max(wanted, bytes.length * 2)));
        }
    }

    /**
     * Ends the block and adds both lengths.
     *
     * @param bodyLength bytes of the body that follows, 0 to {@link LengthField#MAX_VALUE}
     * @return the frame up to its body; it shares this writer's memory, and is valid up to the next
     *     {@link #begin}
     */
    public ByteBuffer finish(long bodyLength) {
        bytes[position++] = 0;
        LengthField.write(position - (long) LengthField.SIZE, bytes, 0);
        LengthField.write(bodyLength, bytes, position);
        position += LengthField.SIZE;
        return frame.clear().limit(position);
    }
}
