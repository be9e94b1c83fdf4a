package org.lrwp.engine.peer;

import org.lrwp.engine.transport.Link;

import java.net.InetAddress;

/** A registered connection over TCP. */
public sealed interface RemoteConnection extends PeerConnection
        permits Lrwp1Connection, Lrwp3Connection {
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
