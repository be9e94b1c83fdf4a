package org.lrwp.sdk;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Objects;

/**
 * Names one of a peer's connections.
 *
 * @param address the proxy's end of the connection: an {@link InetSocketAddress} or a {@link
 *     UnixDomainSocketAddress}
 * @param context the context it serves, as it was given to the builder; several, with commas, when
 *     it is a connection of LRWP 3 as a whole
 * @param virtualHost the only host it serves; empty for every host
 * @param number counts the connections to one address and context, from 1
 */
public record PeerLink(SocketAddress address, String context, String virtualHost, int number) {
    /** Checks that nothing is missing. */
    public PeerLink {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(virtualHost, "virtualHost");
    }

    /** Returns this link as that of one of its contexts. */
    PeerLink serving(String one) {
        return new PeerLink(address, one, virtualHost, number);
    }

    /**
     * Returns the link as it stands in log lines.
     *
     * @return for example {@code proxy=127.0.0.1:1081 context=/osp connection=1}
     */
    @Override
    public String toString() {
        ProxyAddress proxy =
                address instanceof InetSocketAddress socket
                        ? new ProxyAddress(socket.getAddress().getHostAddress(), socket.getPort())
                        : ProxyAddress.parse("unix:" + address);
        String host = virtualHost.isEmpty() ? "" : " vhost=" + virtualHost;
        return "proxy=" + proxy + " context=" + context + host + " connection=" + number;
    }
}
