package org.lrwp.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/**
 * A local address and port that the server is going to listen on.
 *
 * @param purpose what listens there, as the user is told it: "HTTP", "HTTPS" or "LRWP"
 * @param option the option that moves the port
 * @param address the address as given
 * @param port 1 to 65,535, or {@link #ANY_FREE_PORT}
 */
record Endpoint(String purpose, String option, String address, int port) {

    /** The system chooses; only the agent's configuration may say so. */
    static final int ANY_FREE_PORT = 0;

    /**
     * Finds out before the container boots whether the port can be had. The answer is a snapshot:
     * another program may still take the port.
     *
     * @throws StartFault when the port is out of range or taken, or the address is not of this
     *     machine
     */
    void requireFree() throws StartFault {
        if (port < 1 || port > 65_535) {
            throw new StartFault(
                    "the %s port %d is not between 1 and 65535: give another with %s"
                            .formatted(purpose, port, option));
        }
        InetSocketAddress local;
        try {
            local = new InetSocketAddress(InetAddress.getByName(address), port);
        } catch (UnknownHostException e) {
            throw new StartFault("the %s address %s is unknown".formatted(purpose, address));
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(local, 1);
        } catch (IOException e) {
            throw new StartFault(refusal(String.valueOf(e.getMessage())));
        }
    }

    /**
     * Finds out whether two are to have one port of one address; one of all addresses has that of
     * each.
     *
     * @throws StartFault when they are
     */
    void requireOther(Endpoint other) throws StartFault {
        if (other.port == port && port != ANY_FREE_PORT && sharesAddress(other)) {
            throw new StartFault(
                    "the %s port and the %s port are both %d: choose another with %s or %s"
                            .formatted(purpose, other.purpose, port, option, other.option));
        }
    }

    private boolean sharesAddress(Endpoint other) {
        try {
            InetAddress own = InetAddress.getByName(address);
            InetAddress its = InetAddress.getByName(other.address);
            return own.equals(its) || own.isAnyLocalAddress() || its.isAnyLocalAddress();
        } catch (UnknownHostException e) {
            // Whoever opens the port names the address.
            return address.equals(other.address);
        }
    }

    private String refusal(String reason) {
        if (reason.contains("in use")) {
            return "the %s port %s:%d is taken by another program: stop it or choose another with %s"
                    .formatted(purpose, address, port, option);
        }
        return "the %s port %s:%d cannot be opened: %s".formatted(purpose, address, port, reason);
    }

    /** The address and port as they stand in a URL. */
    String authority() {
        return authority(address, port);
    }

    /** The same of any address. */
    static String authority(String address, int port) {
        boolean bare = address.indexOf(':') >= 0 && !address.startsWith("[");
        return (bare ? "[" + address + "]" : address) + ":" + port;
    }
}
