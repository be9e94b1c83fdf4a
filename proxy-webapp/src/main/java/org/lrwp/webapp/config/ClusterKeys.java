package org.lrwp.webapp.config;

import org.lrwp.cluster.ClusterConfig;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.InetAddress;
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

    static final Key<String> TLS_TRUST =
            TABLE.key("cluster.tls.trust", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with the authorities whose certificates NATS may show, which"
                                    + " must have the name that is dialled; empty = those of the"
                                    + " JVM. For servers with tls://.");

    static final Key<String> TLS_CERTIFICATE =
            TABLE.key("cluster.tls.certificate", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with the certificate that this proxy shows to NATS, then its"
                                    + " issuers; empty = none.");

    static final Key<String> TLS_KEY =
            TABLE.key("cluster.tls.key", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with its private key: PKCS#8 without password; others must"
                                    + " not be able to read it.");

    static final Key<Duration> HEARTBEAT =
            TABLE.key(
                            "cluster.heartbeat",
                            ValueTypes.duration(Duration.ofMillis(50), Duration.ofSeconds(10)),
                            "250ms")
                    .atStart(
                            "How often the others are told what this proxy has. One that was not"
                                + " heard three times gets no request. The same for all proxies.");

    static final Key<Duration> PACK_INTERVAL =
            TABLE.key(
                            "cluster.pack-interval",
                            ValueTypes.duration(Duration.ZERO, Duration.ofMillis(100)),
                            "2ms")
                    .atStart(
                            "The pause after a message to other proxies that held 4 or more"
                                    + " requests or answers. Longer costs less CPU; 0 = no pause.");

    static final Key<Integer> MOST_AWAY =
            TABLE.key("cluster.max-away", ValueTypes.count(1, 100_000), "256")
                    .atStart(
                            "Requests of this proxy that one other has at once; further ones go"
                                    + " elsewhere, or wait here.");

    static final Key<Long> MOST_BODY =
            TABLE.key("cluster.body", ValueTypes.size(0, 512 * 1024), "256KiB")
                    .atStart(
                            "Bytes of the largest request body that goes to another proxy inside a"
                                    + " message. Larger ones go by HTTP to `cluster.port`; without"
                                    + " `cluster.secret-file` such requests wait here.");

    static final Key<InetAddress> ADDRESS =
            TABLE.key("cluster.address", ProxyValueTypes.ADDRESS, "127.0.0.1")
                    .atStart(
                            "Address where the other proxies bring large bodies to this one, by"
                                    + " HTTP without TLS. They must reach it there, and nobody"
                                    + " else should.");

    static final Key<Integer> PORT =
            TABLE.key("cluster.port", ValueTypes.count(0, 0xFFFF), "1083")
                    .atStart(
                            "TCP port of that address; 0 = any free one. Opened with"
                                    + " `cluster.secret-file` alone. Taken: large bodies stay"
                                    + " here, and the log says so.");

    static final Key<String> SECRET_FILE =
            TABLE.key("cluster.secret-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with the secret that all proxies of the cluster share, mode 600,"
                                    + " 16 bytes or more: it signs the tickets of large bodies."
                                    + " Empty = large bodies stay here.");

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
