package org.lrwp.engine.exchange;

import java.nio.ByteBuffer;

/**
 * The client's end of a {@link Tunnel}, implemented by a front. {@link #bytes} and {@link #end}
 * come one after the other; {@link #cut} may come from any thread at any time, and nothing has an
 * effect after it. No method may block.
 */
public interface TunnelClient {
    /**
     * Bytes for the client; they are to be sent and flushed at once. {@link Tunnel#delivered} says
     * that the client has taken them: until then the peer is held back once its window is used up.
     *
     * @param bytes at least one byte, the front's own
     */
    void bytes(ByteBuffer bytes);

    /** The peer sends nothing more: the front ends its output, and goes on reading. */
    void end();

    /** After a {@link Tunnel#receive} that returned false: more bytes of the client are welcome. */
    void room();

    /** The tunnel is broken: the front cuts the connection, so that the client sees it (RST). */
    void cut();
}
