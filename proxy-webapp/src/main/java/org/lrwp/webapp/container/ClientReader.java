package org.lrwp.webapp.container;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.ClientConnection;

/** Reads a client's connection before the container does. */
public interface ClientReader {
    /**
     * Bytes have come, for the next request or for the present one. On the loop; never blocks.
     *
     * @return false when the container has to read them: {@link #containerHasRead} follows
     */
    boolean read();

    /** The container has read what {@link #read} left to it. On the loop. */
    void containerHasRead();

    /**
     * Bytes have come, or the end, while a request is answered whose body is whole: reads ahead, so
     * that a client that leaves is noticed. On the loop; never blocks.
     *
     * @return false when the connection must not be read now
     */
    boolean watch();

    /**
     * Says whether it has read a part of a request, so that the rest is for nobody else. On the
     * loop.
     *
     * @return whether the container must not read
     */
    boolean isAmid();

    /**
     * Says whether only the container reads the connection, now or for good. On the loop.
     *
     * @return whether the container may wait for the client
     */
    boolean isContainers();

    /**
     * Says whether the client has yet to agree on TLS. Any thread.
     *
     * @return false without TLS, and after the handshake
     */
    boolean isShaking();

    /** The connection is closed, by whomever. Any thread; never blocks. */
    void closed();

    /** The application lets go of the connection. On the loop. */
    void letGo();

    /**
     * Returns the present request of the container.
     *
     * @return null when there is none; any thread may ask
     */
    @Nullable GivenRequest given();

    /**
     * Returns the connection's two ends, with the client that a PROXY header has named.
     *
     * @return any thread may ask
     */
    ClientConnection ends();

    /** Has the connection end behind the present request. Any thread. */
    void end();
}
