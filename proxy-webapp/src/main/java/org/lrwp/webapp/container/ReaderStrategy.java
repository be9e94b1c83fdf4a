package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.nio.NIOTransport;
import org.jspecify.annotations.Nullable;

/** An I/O strategy that has clients read before the container reads them. */
public interface ReaderStrategy extends IOStrategy {
    /**
     * Returns what reads a connection of this strategy before the container.
     *
     * @param connection a client's
     * @return null when nothing does; any thread may ask
     */
    @Nullable ClientReader readerOf(Connection<?> connection);

    /**
     * Returns what reads a connection before the container.
     *
     * @param connection a client's, of any strategy
     * @return null when nothing does; any thread may ask
     */
    static @Nullable ClientReader reader(Connection<?> connection) {
        return connection.getTransport() instanceof NIOTransport transport
                        && transport.getIOStrategy() instanceof ReaderStrategy strategy
                ? strategy.readerOf(connection)
                : null;
    }
}
