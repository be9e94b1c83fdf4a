package org.lrwp.sdk;

import org.lrwp.protocol.MalformedFrameException;

import java.io.IOException;
import java.util.List;

/**
 * One registered connection to a proxy. There is one kind for each way of framing: the handler and
 * the reconnecting around it know none of them.
 */
sealed interface PeerConnection permits SerialConnection, MultiplexConnection {
    /**
     * Answers requests until the connection ends; blocks. Returns when either side has left in
     * order.
     *
     * @throws IOException when the connection breaks or the proxy closes it
     * @throws MalformedFrameException when the proxy sends what the protocol does not allow
     */
    void serve() throws IOException, MalformedFrameException;

    /**
     * Takes no more requests: finishes what has begun, then closes. Any thread; returns at once.
     */
    void leave();

    /** Ends what is under way, interrupting handlers, and closes. Any thread; returns at once. */
    void abort();

    /** Says whether the proxy has not taken what is being written for longer than that. */
    boolean isStalled(long nanos);

    /** Changes how many requests at once are taken; for connections that carry more than one. */
    default void capacity(int requests) {}

    /** Serves these contexts from now on; for connections that carry more than one. */
    default void contexts(List<String> contexts) {}
}
