package org.lrwp.engine.peer;

import org.lrwp.engine.transport.Link;

/** A registered connection of another process. */
public interface RemoteConnection extends PeerConnection {
    /**
     * Names a connection for logs and status.
     *
     * @param link the connection itself
     * @return where the peer is
     */
    static String nameOf(Link link) {
        return link.remote().text();
    }

    /**
     * Returns the connection itself.
     *
     * @return its link
     */
    Link link();

    @Override
    default boolean isOnLoop() {
        return link().isOnLoop();
    }
}
