package org.lrwp.engine.transport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Where connections get their events from. Thread-safe. */
public interface Transport extends AutoCloseable {
    /**
     * Listens for connections.
     *
     * @param address local address and port; port 0 = any free one
     * @param accepted called on the link's loop for each new link, before any of its events
     * @return the open listener
     * @throws IOException when the address cannot be had
     */
    Listener listen(InetSocketAddress address, Consumer<Link> accepted) throws IOException;

    /**
     * Finds the loop of the calling thread. Any thread may ask; it does not block.
     *
     * @return runs tasks at the end of the loop's round; null on a thread that is none of the loops
     */
    @Nullable Executor here();

    /**
     * Returns a picture for status pages.
     *
     * @return the transport as it is now
     */
    TransportStatus status();

    /** Closes all listeners and links and ends the threads. Idempotent. */
    @Override
    void close();

    /** One listening socket. */
    interface Listener extends AutoCloseable {
        /**
         * Returns where it listens.
         *
         * @return address and port
         */
        InetSocketAddress address();

        /** Stops listening; accepted links stay. Idempotent. */
        @Override
        void close();
    }
}
