package org.lrwp.engine.request;

import java.net.InetAddress;
import java.util.Objects;

/**
 * The connection that brought a request.
 *
 * @param remoteAddress address of the client, or of the proxy in front
 * @param remotePort its port
 * @param localAddress the address it reached, as text: the host of a request that names none
 * @param localPort the port it reached
 * @param secure whether it is TLS
 */
public record ClientConnection(
        InetAddress remoteAddress,
        int remotePort,
        String localAddress,
        int localPort,
        boolean secure) {
    /** Checks that nothing is missing. */
    public ClientConnection {
        Objects.requireNonNull(remoteAddress, "remoteAddress");
        Objects.requireNonNull(localAddress, "localAddress");
    }
}
