package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What a node needs to be one of a cluster.
 *
 * @param servers where NATS listens
 * @param cluster name of the cluster: nodes of another one are not seen
 * @param node name of this node, no other's
 * @param login what NATS is told; null for nothing
 * @param heartbeat how often the others are told what this node has
 * @param mostAway requests that one other node has of this one at once
 * @param mostBody bytes of the largest body that goes to another node
 */
public record ClusterConfig(
        List<URI> servers,
        String cluster,
        String node,
        @Nullable Login login,
        Duration heartbeat,
        int mostAway,
        int mostBody) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

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

    /** Checks all values. */
    public ClusterConfig {
        servers = List.copyOf(servers);
        Objects.requireNonNull(heartbeat, "heartbeat");
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
