package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

/**
 * What a node needs to be one of a cluster.
 *
 * @param servers where NATS listens
 * @param cluster name of the cluster: nodes of another one are not seen
 * @param node name of this node, no other's
 * @param access how this node shows NATS who it is
 * @param heartbeat how often the others are told what this node has
 * @param packInterval from a message with several requests or answers to the next; zero = as soon
 *     as there is one
 * @param mostAway requests that one other node has of this one at once
 * @param mostBody bytes of the largest body that goes to another node within the message
 * @param direct how larger ones go; null when they do not
 */
public record ClusterConfig(
        List<URI> servers,
        String cluster,
        String node,
        Access access,
        Duration heartbeat,
        Duration packInterval,
        int mostAway,
        int mostBody,
        @Nullable Direct direct) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /**
     * How a node shows NATS who it is, and whom it believes.
     *
     * @param login what NATS is told; null for nothing
     * @param tls for connections inside TLS; null for none
     */
    public record Access(@Nullable Login login, @Nullable SSLContext tls) {
        /** Nothing is asked. */
        public static final Access OPEN = new Access(null, null);
    }

    /**
     * A user of NATS.
     *
     * @param user its name
     * @param password proves it
     */
    public record Login(String user, String password) {
        /** Checks that nothing is missing. */
        public Login {
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(password, "password");
        }

        @Override
        public String toString() {
            return "Login[user=" + user + "]";
        }
    }

    /**
     * The way of large bodies, by HTTP between the nodes.
     *
     * @param address where this node takes them; the others reach it there
     * @param port its port; 0 for any free one
     * @param secret all nodes have the same, and nobody else has it
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared, and never shown.
    public record Direct(InetAddress address, int port, byte[] secret) {
        @Override
        public String toString() {
            return "Direct[address=" + address + ", port=" + port + "]";
        }
    }

    /** Checks all values. */
    public ClusterConfig {
        servers = List.copyOf(servers);
        Objects.requireNonNull(access, "access");
        Objects.requireNonNull(heartbeat, "heartbeat");
        Objects.requireNonNull(packInterval, "packInterval");
        if (servers.isEmpty() || !isName(cluster) || !isName(node)) {
            throw new IllegalArgumentException(servers + ", cluster " + cluster + ", node " + node);
        }
        if (mostAway < 1 || mostBody < 0) {
            throw new IllegalArgumentException("mostAway " + mostAway + ", mostBody " + mostBody);
        }
    }

    /**
     * Says whether a text may name a node or a cluster.
     *
     * @param text the text
     * @return true for 1 to 64 letters, digits, {@code _} and {@code -}
     */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
