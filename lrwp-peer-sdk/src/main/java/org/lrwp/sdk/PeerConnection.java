package org.lrwp.sdk;

import org.lrwp.protocol.MalformedFrameException;

import java.io.IOException;

/**
 * One registered connection to a proxy. There is one kind for each way of framing: the handler and
 * the reconnecting around it know none of them.
 */
sealed interface PeerConnection permits SerialConnection {
    /**
     * Answers requests until the connection ends; blocks. Returns when this side has left in order.
     *
     * @throws IOException when the connection breaks or the proxy closes it
     * @throws MalformedFrameException when the proxy sends what the protocol does not allow
     */
    void serve() throws IOException, MalformedFrameException;

    /**
     * Takes no more requests: finishes what has begun, then closes. Any thread; returns at once.
     */
    void leave();
}
