package org.lrwp.engine.transport;

import jdk.net.ExtendedSocketOptions;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** The options of peers' sockets. Thread-safe, never blocks. */
public final class PeerSocket {
    private static final System.Logger LOG = System.getLogger(PeerSocket.class.getName());
    private static final int KEEP_ALIVE_IDLE_SECONDS = 30;
    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 10;
    private static final int KEEP_ALIVE_PROBES = 3;
    private static final boolean QUICK_ACK = supportsQuickAck();

    private PeerSocket() {}

    private static boolean supportsQuickAck() {
        try (SocketChannel probe = SocketChannel.open()) {
            return probe.supportedOptions().contains(ExtendedSocketOptions.TCP_QUICKACK);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Makes a fresh connection ready: it does not block, sends at once, and notices within a minute
     * that the other end is gone.
     *
     * @param socket a connection that has just been accepted
     * @throws IOException when it has failed already
     */
    public static void prepare(SocketChannel socket) throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        Set<?> supported = socket.supportedOptions();
        if (supported.contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_INTERVAL_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_PROBES);
        }
    }

    /**
     * Acknowledges at once what has been read, where the system can.
     *
     * @param socket an open connection
     */
    public static void acknowledge(SocketChannel socket) {
        if (!QUICK_ACK) {
            return;
        }
        try {
            socket.setOption(ExtendedSocketOptions.TCP_QUICKACK, true);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "quick-acknowledge-failed", e);
        }
    }
}
