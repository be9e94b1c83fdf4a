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
 * <p>Not thread-safe.
 */
public final class EnvBlockWriter {
    private static final int ROOM = 128;

    private final int limit;
    private byte[] octets;
    private int position = LengthField.SIZE;

    /**
     * Creates a writer.
     *
     * @param limit most octets of the env block with all its NULs, at least 1
     */
    public EnvBlockWriter(int limit) {
        this(limit, 8 * ROOM);
    }

    private EnvBlockWriter(int limit, int room) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit " + limit + " is below 1");
        }
        this.limit = limit;
        this.octets = new byte[Math.min(room, limit) + 2 * LengthField.SIZE];
    }

    /**
     * Creates a writer that goes on where another one was.
     *
     * @param limit most octets of the env block with all its NULs, at least 1
     * @param begun {@link #variables} of the other one
     */
    public EnvBlockWriter(int limit, byte[] begun) {
        this(limit, begun.length + ROOM);
        if (begun.length >= limit) {
            throw new IllegalArgumentException("limit " + limit + " is below what is there");
        }
        System.arraycopy(begun, 0, octets, position, begun.length);
        position += begun.length;
    }

    /**
     * Adds one variable.
     *
     * @param name its name: one octet per character, not empty, without {@code =} and NUL
     * @param value its value: one octet per character, without NUL; may be empty
     * @throws MalformedFrameException when a character cannot be sent or the block passes its
     *     limit; the block is then as it was before
     */
    public void add(String name, String value) throws MalformedFrameException {
        int needed = name.length() + value.length() + 2;
        int used = position - LengthField.SIZE;
        if (used + (long) needed + 1 > limit) {
            throw new MalformedFrameException("env block above its limit of " + limit + " octets");
        }
        if (name.isEmpty()) {
            throw new MalformedFrameException("env variable without name");
        }
        ensure(needed);
        int end = append(name, '=', position);
        octets[end++] = '=';
        end = append(value, '\0', end);
        octets[end++] = 0;
        position = end;
    }

    private int append(String text, char forbidden, int at) throws MalformedFrameException {
        int end = at;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || c > 0xFF || c == forbidden) {
                throw new MalformedFrameException(
                        "env variable holds a character that cannot be sent: 0x"
                                + Integer.toHexString(c));
            }
            octets[end++] = (byte) c;
        }
        return end;
    }

    private void ensure(int needed) {
        int wanted = position + needed + 1 + LengthField.SIZE;
        if (wanted > octets.length) {
            octets = Arrays.copyOf(octets, Math.max(wanted, octets.length * 2));
        }
    }

    /**
     * Returns what has been added so far.
     *
     * @return a copy, without lengths and final NUL
     */
    public byte[] variables() {
        return Arrays.copyOfRange(octets, LengthField.SIZE, position);
    }

    /**
     * Ends the block and adds both lengths.
     *
     * @param bodyLength octets of the body that follows, 0 to {@link LengthField#MAX_VALUE}
     * @return the frame up to its body; it shares this writer's memory, which is used up
     */
    public ByteBuffer finish(long bodyLength) {
        ensure(0);
        octets[position++] = 0;
        LengthField.write(position - (long) LengthField.SIZE, octets, 0);
        LengthField.write(bodyLength, octets, position);
        position += LengthField.SIZE;
        return ByteBuffer.wrap(octets, 0, position);
    }
}
