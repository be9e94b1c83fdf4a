package org.lrwp.sdk;

import java.net.UnixDomainSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Where a proxy listens for peers.
 *
 * @param host a name or an address, which means every address it has; or {@code unix:} and the
 *     absolute path of a Unix domain socket
 * @param port TCP port, 1 to 65535; 0 with a Unix domain socket
 */
public record ProxyAddress(String host, int port) {
    /** The port of proxies that say nothing else. */
    public static final int DEFAULT_PORT = 1081;

    private static final String UNIX = "unix:";

    /** Checks host and port. */
    public ProxyAddress {
        if (host.startsWith(UNIX)) {
            checkPath(host);
        } else if (host.isBlank() || host.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("no host in the proxy's address");
        }
        int least = host.startsWith(UNIX) ? 0 : 1;
        int most = host.startsWith(UNIX) ? 0 : 65_535;
        if (port < least || port > most) {
            throw new IllegalArgumentException("port " + port + " is not within 1 to 65535");
        }
    }

    private static void checkPath(String host) {
        try {
            if (Path.of(host.substring(UNIX.length())).isAbsolute()) {
                return;
            }
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    "'" + host + "' is not unix:/PATH: " + e.getReason(), e);
        }
        throw new IllegalArgumentException("'" + host + "' is not unix:/PATH");
    }

    /**
     * Reads {@code HOST:PORT}, {@code HOST}, {@code [IPV6]:PORT}, {@code [IPV6]} or {@code
     * unix:/PATH}.
     *
     * @param text the address; without a port it means {@link #DEFAULT_PORT}
     * @return the address
     * @throws IllegalArgumentException when it is none of these
     */
    public static ProxyAddress parse(String text) {
        if (text.startsWith(UNIX)) {
            return new ProxyAddress(text, 0);
        }
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            if (end < 0 || (end + 1 < text.length() && text.charAt(end + 1) != ':')) {
                throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
            }
            return of(text, text.substring(1, end), text.substring(end + 1));
        }
        int colon = text.indexOf(':');
        if (colon != text.lastIndexOf(':')) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not HOST:PORT (an IPv6 address goes into brackets)");
        }
        return colon < 0
                ? of(text, text, "")
                : of(text, text.substring(0, colon), text.substring(colon));
    }

    private static ProxyAddress of(String text, String host, String colonAndPort) {
        if (colonAndPort.isEmpty()) {
            return new ProxyAddress(host, DEFAULT_PORT);
        }
        String port = colonAndPort.substring(1);
        if (!port.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
        }
        return new ProxyAddress(host, Integer.parseInt(port));
    }

    /** Says whether it is a Unix domain socket of this host. */
    boolean isSocket() {
        return host.startsWith(UNIX);
    }

    /** The Unix domain socket; only when it {@linkplain #isSocket is one}. */
    UnixDomainSocketAddress socket() {
        return UnixDomainSocketAddress.of(host.substring(UNIX.length()));
    }

    /**
     * Returns the address as it is written.
     *
     * @return {@code HOST:PORT}, an IPv6 address in brackets; {@code unix:/PATH}
     */
    @Override
    public String toString() {
        if (isSocket()) {
            return host;
        }
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
