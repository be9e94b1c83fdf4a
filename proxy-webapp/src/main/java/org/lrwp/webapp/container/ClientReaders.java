package org.lrwp.webapp.container;

import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.files.FileSenders;

/** Says who reads the container's clients before the container does. Thread-safe; never blocks. */
public interface ClientReaders {
    /**
     * Returns what reads a new connection.
     *
     * @param connection of a client; its first bytes have come
     * @param loop its thread, on which this is called
     * @param reads says when it may be read
     * @param listener that accepted it
     * @return null when the container reads it
     */
    @Nullable ClientReader of(
            NIOConnection connection, RunnerLoop loop, LazyReads reads, ContainerListener listener);

    /**
     * A connection has been accepted. On the selector thread of its port.
     *
     * @param connection of a client or a peer
     */
    void accepted(NIOConnection connection);

    /** The TLS handshake of a client is over, and both sides go on. Any thread. */
    void handshakeDone();

    /**
     * The TLS handshake of a client has failed, or has had no chance to begin. Any thread.
     *
     * @param client where it is
     * @param reason why, printable
     */
    void handshakeRefused(String client, String reason);

    /**
     * Returns who sends files past the container's filters.
     *
     * @return null while no files are sent
     */
    @Nullable FileSenders senders();
}
