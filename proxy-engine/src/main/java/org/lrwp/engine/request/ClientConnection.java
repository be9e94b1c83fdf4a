package org.lrwp.engine.request;

import java.net.InetAddress;
import java.util.Objects;

/** The connection that brought a request. Made once for all its requests. Immutable. */
public final class ClientConnection {
    private final InetAddress remoteAddress;
    private final String remoteText;
    private final int remotePort;
    private final String localAddress;
    private final int localPort;
    private final boolean secure;

    /**
     * Describes a connection.
     *
     * @param remoteAddress address of the client, or of the proxy in front
     * @param remotePort its port
     * @param localAddress the address it reached, as text: the host of a request that names none
     * @param localPort the port it reached
     * @param secure whether it is TLS
     */
    public ClientConnection(
            InetAddress remoteAddress,
            int remotePort,
            String localAddress,
            int localPort,
            boolean secure) {
        this.remoteAddress = Objects.requireNonNull(remoteAddress, "remoteAddress");
        this.remoteText = withoutZone(remoteAddress.getHostAddress());
        this.remotePort = remotePort;
        this.localAddress = Objects.requireNonNull(localAddress, "localAddress");
        this.localPort = localPort;
        this.secure = secure;
    }

    private static String withoutZone(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }

    /**
     * Returns who asks.
     *
     * @return address of the client, or of the proxy in front
     */
    public InetAddress remoteAddress() {
        return remoteAddress;
    }

    /**
     * Returns {@link #remoteAddress} as peers and logs have it.
     *
     * @return the address, without the zone of a link-local one
     */
    public String remoteText() {
        return remoteText;
    }

    /**
     * Returns the client's port.
     *
     * @return its port
     */
    public int remotePort() {
        return remotePort;
    }

    /**
     * Returns the address that was reached.
     *
     * @return as text: the host of a request that names none
     */
    public String localAddress() {
        return localAddress;
    }

    /**
     * Returns the port that was reached.
     *
     * @return the proxy's port
     */
    public int localPort() {
        return localPort;
    }

    /**
     * Says whether nobody between can read along.
     *
     * @return whether it is TLS
     */
    public boolean secure() {
        return secure;
    }
}
