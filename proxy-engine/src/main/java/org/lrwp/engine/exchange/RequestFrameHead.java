package org.lrwp.engine.exchange;

import org.lrwp.protocol.LengthField;

import java.nio.ByteBuffer;

/**
 * An env block, encoded once for whatever version the peer speaks: docs/protocol.md sections 4 and
 * 11. Immutable as long as nobody writes to its octets.
 *
 * @param octets the block between its own length and that of the body, as LRWP 1 sends it
 */
public record RequestFrameHead(ByteBuffer octets) {
    /**
     * Returns the head of an LRWP 1 request frame.
     *
     * @return a view of its own: length, env block, length of the body
     */
    public ByteBuffer serial() {
        return octets.duplicate();
    }

    /**
     * Returns the env block alone.
     *
     * @return a view of its own
     */
    public ByteBuffer environment() {
        int length = octets.remaining() - 2 * LengthField.SIZE;
        return octets.slice(octets.position() + LengthField.SIZE, length);
    }
}
