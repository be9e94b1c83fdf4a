package org.lrwp.webapp.edge;

import org.glassfish.grizzly.memory.ByteBufferWrapper;

import java.nio.ByteBuffer;

/**
 * Bytes for the container's TLS filter. It encrypts them at once, unless client and container agree
 * on keys at present, as they do when the client changes them: then it keeps what it was given for
 * later. The buffer of a loop is used for another client by then.
 */
final class PlainBytes extends ByteBufferWrapper {
    private boolean encrypted;

    /**
     * Wraps bytes.
     *
     * @param bytes not copied
     */
    PlainBytes(ByteBuffer bytes) {
        super(bytes);
        allowBufferDispose(true);
    }

    /** The filter has encrypted them, and lets go of them. */
    @Override
    public void dispose() {
        encrypted = true;
    }

    /** Copies them if they are not encrypted yet. Nobody else may use them meanwhile. */
    void settle() {
        if (!encrypted) {
            visible = ByteBuffer.allocate(visible.remaining()).put(visible).flip();
        }
    }
}
