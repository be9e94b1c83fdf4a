package org.lrwp.engine.transport;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/** Where a connection comes from. */
public sealed interface PeerAddress {
    /**
     * Names the connection for logs and status.
     *
     * @return printable, and of no other connection that is open now
     */
    String text();

    /**
     * Returns what rules of networks judge.
     *
     * @return the IP address; that of this host for a local connection
     */
    InetAddress address();

    /**
     * Names what the limits for one address count together.
     *
     * @return equal for the connections that are counted as one
     */
    String source();

    /**
     * Describes a TCP connection.
     *
     * @param socket the other end
     * @return its address
     */
    static PeerAddress of(InetSocketAddress socket) {
        return new Tcp(socket);
    }

    /**
     * A TCP connection.
     *
     * @param socket the other end
     */
    record Tcp(InetSocketAddress socket) implements PeerAddress {
        /** Bytes of an IPv6 address that name a network; who has one has all its addresses. */
        private static final int IPV6_NETWORK = 8;

        @Override
        public String text() {
            return socket.getAddress().getHostAddress() + ":" + socket.getPort();
        }

        @Override
        public InetAddress address() {
            return socket.getAddress();
        }

        @Override
        public String source() {
            InetAddress address = socket.getAddress();
            if (!(address instanceof Inet6Address) || address.isLoopbackAddress()) {
                return address.getHostAddress();
            }
            byte[] network = Arrays.copyOf(address.getAddress(), IPV6_NETWORK);
            return HexFormat.ofDelimiter(":").formatHex(network) + "/64";
        }
    }

    /**
     * A connection by a Unix domain socket. The kernel says whose it is.
     *
     * @param user the owner of the process that has connected, by name; its number when it has none
     * @param number tells the connections of this process apart
     */
    record Unix(String user, long number) implements PeerAddress {
        private static final String HEAD = "unix:";
        private static final InetAddress THIS_HOST = InetAddress.ofLiteral("127.0.0.1");

        /** Checks that there is a user. */
        public Unix {
            Objects.requireNonNull(user, "user");
        }

        @Override
        public String text() {
            return source() + "/" + number;
        }

        @Override
        public InetAddress address() {
            return THIS_HOST;
        }

        @Override
        public String source() {
            return HEAD + user.replaceAll("[^!-~]|[\"\\\\/]", "?");
        }
    }
}
