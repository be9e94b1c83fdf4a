package org.lrwp.engine.peer;

import org.lrwp.engine.transport.Link;

import java.net.InetAddress;

/** A registered connection over TCP. */
public interface RemoteConnection extends PeerConnection {
    /**
     * Names a connection for logs and status.
     *
     * @param link the connection itself
     * @return address and port of the peer
     */
    static String nameOf(Link link) {
        return link.remote().getAddress().getHostAddress() + ":" + link.remote().getPort();
    }

    /**
     * Returns the connection itself.
     *
     * @return its link
     */
    Link link();

    /**
     * Returns where the peer is.
     *
     * @return its address
     */
    default InetAddress address() {
        return link().remote().getAddress();
    }

    @Override
    default boolean isOnLoop() {
        return link().isOnLoop();
    }
}
