package org.lrwp.webapp.container;

import org.glassfish.grizzly.nio.NIOConnection;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/** Ends a client's connection at once, whatever waits on it. Any thread; never blocks. */
public final class ConnectionCut {
    private static final System.Logger LOG = System.getLogger(ConnectionCut.class.getName());

    private ConnectionCut() {}

    /**
     * Ends a connection.
     *
     * @param connection the client's
     * @param reset whether the client must see a reset and not an end
     */
    public static void cut(NIOConnection connection, boolean reset) {
        if (reset && connection.getChannel() instanceof SocketChannel channel) {
            try {
                // Closing with a linger time of 0 sends a reset.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "no-reset", e);
            }
        }
        connection.terminateSilently();
    }
}
