package org.lrwp.webapp.config;

import org.lrwp.cluster.ClusterConfig;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Keys of a cluster of proxies: docs/cluster.md. */
final class ClusterKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final Set<String> SCHEMES = Set.of("nats", "tls");

    private static final ValueType<List<URI>> SERVERS =
            new ValueType<>(
                    "URLs as nats://10.0.0.1:4222 or tls://10.0.0.1:4222, separated by commas",
                    ClusterKeys::servers);
    private static final ValueType<String> NAME =
            new ValueType<>(
                    "1 to 64 of letters, digits, _ and -",
                    text -> {
                        if (!text.isEmpty() && !ClusterConfig.isName(text)) {
                            throw new IllegalArgumentException(text);
                        }
                        return text;
                    });

    static final Key<List<URI>> NATS =
            TABLE.key("cluster.nats", SERVERS, "")
                    .atStart(
                            "Servers of NATS by which the proxies of a cluster know each other;"
                                    + " empty = this proxy is none of a cluster. Not reached: it"
                                    + " works alone, and says so.");

    static final Key<String> NODE =
            TABLE.key("cluster.node", NAME, "")
                    .atStart("Name of this proxy in the cluster, no other's; has to be set.");

    static final Key<String> CLUSTER =
            TABLE.key("cluster.name", NAME, "lrwp")
                    .atStart("Name of the cluster; proxies of another one are not seen.");

    static final Key<String> LOGIN_FILE =
            TABLE.key("cluster.login-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with `USER:PASSWORD` for NATS, mode 600; empty = NATS asks for"
                                    + " nothing.");

    static final Key<Duration> HEARTBEAT =
            TABLE.key(
                            "cluster.heartbeat",
                            ValueTypes.duration(Duration.ofMillis(50), Duration.ofSeconds(10)),
                            "250ms")
                    .atStart(
                            "How often the others are told what this proxy has. One that was not"
                                + " heard three times gets no request. The same for all proxies.");

    static final Key<Integer> MOST_AWAY =
            TABLE.key("cluster.max-away", ValueTypes.count(1, 100_000), "256")
                    .atStart(
                            "Requests of this proxy that one other has at once; further ones go"
                                    + " elsewhere, or wait here.");

    static final Key<Long> MOST_BODY =
            TABLE.key("cluster.body", ValueTypes.size(0, 512 * 1024), "256KiB")
                    .atStart(
                            "Bytes of the largest request body that goes to another proxy; requests"
                                    + " with a larger one wait here.");

    private ClusterKeys() {}

    private static List<URI> servers(String text) {
        List<URI> servers = new ArrayList<>();
        for (String one : ValueTypes.LIST.parse(text)) {
            URI server = URI.create(one);
            if (!SCHEMES.contains(server.getScheme()) || server.getHost() == null) {
                throw new IllegalArgumentException(one);
            }
            servers.add(server);
        }
        return List.copyOf(servers);
    }

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
