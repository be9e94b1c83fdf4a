package org.lrwp.sdk;

/**
 * Where a proxy listens for peers.
 *
 * @param host a name or an address; a name means every address it has
 * @param port TCP port, 1 to 65535
 */
public record ProxyAddress(String host, int port) {
    /** The port of proxies that say nothing else. */
    public static final int DEFAULT_PORT = 1081;

    /** Checks host and port. */
    public ProxyAddress {
        if (host.isBlank() || host.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("no host in the proxy's address");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not within 1 to 65535");
        }
    }

    /**
     * Reads {@code HOST:PORT}, {@code HOST}, {@code [IPV6]:PORT} or {@code [IPV6]}.
     *
     * @param text the address; without a port it means {@link #DEFAULT_PORT}
     * @return the address
     * @throws IllegalArgumentException when it is none of these
     */
    public static ProxyAddress parse(String text) {
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

    /**
     * Returns the address as it is written.
     *
     * @return {@code HOST:PORT}, an IPv6 address in brackets
     */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
