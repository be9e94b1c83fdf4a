package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheMapConfig;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Rule;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.operation.SecretFile;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What must hold between the proxy's values. */
final class ProxyRules {
    private static final int LEAST_STICKY_KEY = 32;

    private ProxyRules() {}

    /**
     * All rules.
     *
     * @param secrets what the environment says of secrets; null for nothing
     */
    static List<Rule> all(@Nullable String secrets) {
        return List.of(
                ProxyRules::spoolFolder,
                ProxyRules::networks,
                ProxyRules::tls,
                ProxyRules::socket,
                ProxyRules::container,
                ProxyRules::reader,
                ProxyRules::https,
                ProxyRules::cache,
                ProxyRules::modules,
                ProxyRules::operators,
                ProxyRules::stickyKey,
                ProxyRules::cluster,
                ProxyRules::errorPages,
                ProxyRules::traces,
                (values, faults) -> secrets(values, secrets, faults));
    }

    private static void spoolFolder(Values values, Consumer<String> faults) {
        Path folder = ConfigBuilder.spoolFolder(values);
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            faults.accept(
                    SpoolKeys.FOLDER.name()
                            + ": "
                            + folder
                            + " is not a writable folder"
                            + place(values, SpoolKeys.FOLDER));
        }
    }

    private static void networks(Values values, Consumer<String> faults) {
        network(values, AgentKeys.ADDRESS, faults);
        if (!values.get(TlsKeys.CERTIFICATE).isEmpty()) {
            network(values, TlsKeys.ADDRESS, faults);
        }
    }

    private static void network(Values values, Key<InetAddress> key, Consumer<String> faults) {
        InetAddress address = values.get(key);
        if (!address.isLoopbackAddress() && !values.isSet(AgentKeys.NETWORKS)) {
            faults.accept(
                    key.name()
                            + " = "
                            + address.getHostAddress()
                            + " can be reached from other hosts: set "
                            + AgentKeys.NETWORKS.name()
                            + " to where peers may come from"
                            + place(values, key));
        }
    }

    private static boolean asks(Values values, Key<String> key) {
        return ConfigBuilder.clientCertificates(values, key) != ClientCertificates.NONE;
    }

    private static void tls(Values values, Consumer<String> faults) {
        boolean asked = asks(values, TlsKeys.CLIENT_CERTIFICATES);
        boolean trusts = !values.get(TlsKeys.TRUST).isEmpty();
        boolean revokes = !values.get(TlsKeys.REVOKED).isEmpty();
        if (values.get(TlsKeys.CERTIFICATE).isEmpty()) {
            return;
        }
        if (values.get(TlsKeys.KEY).isEmpty()) {
            faults.accept(
                    TlsKeys.CERTIFICATE.name()
                            + " needs "
                            + TlsKeys.KEY.name()
                            + place(values, TlsKeys.CERTIFICATE));
        }
        if (!trusts && (asked || revokes)) {
            faults.accept(
                    (revokes ? TlsKeys.REVOKED : TlsKeys.CLIENT_CERTIFICATES).name()
                            + " needs "
                            + TlsKeys.TRUST.name()
                            + place(values, TlsKeys.CLIENT_CERTIFICATES, TlsKeys.REVOKED));
        }
    }

    private static void socket(Values values, Consumer<String> faults) {
        boolean lets = values.get(AgentKeys.SOCKET_MODE).contains(PosixFilePermission.GROUP_WRITE);
        if (!values.get(AgentKeys.SOCKET_GROUP).isEmpty() && !lets) {
            faults.accept(
                    AgentKeys.SOCKET_GROUP.name()
                            + " needs "
                            + AgentKeys.SOCKET_MODE.name()
                            + " = 660: with another one the group cannot connect"
                            + place(values, AgentKeys.SOCKET_GROUP));
        }
    }

    private static void container(Values values, Consumer<String> faults) {
        if (ConfigBuilder.front(values) == Front.EDGE && ConfigBuilder.ownSelectors(values)) {
            faults.accept(
                    RequestKeys.FRONT.name()
                            + " = edge needs "
                            + AgentKeys.TRANSPORT.name()
                            + " = auto"
                            + place(values, RequestKeys.FRONT, AgentKeys.TRANSPORT));
        }
    }

    private static void reader(Values values, Consumer<String> faults) {
        boolean strict =
                values.get(RequestKeys.STRICT_HTTP) || ConfigBuilder.front(values) == Front.EDGE;
        boolean possible = strict && !ConfigBuilder.ownSelectors(values);
        if (ConfigBuilder.proxyProtocol(values) && !possible) {
            faults.accept(
                    ClientKeys.PROXY_PROTOCOL.name()
                            + " = on needs "
                            + RequestKeys.STRICT_HTTP.name()
                            + " = true and "
                            + AgentKeys.TRANSPORT.name()
                            + " = auto"
                            + place(values, ClientKeys.PROXY_PROTOCOL, AgentKeys.TRANSPORT));
        }
    }

    private static void https(Values values, Consumer<String> faults) {
        if (values.get(HttpsKeys.PORT) == 0) {
            return;
        }
        for (Key<String> file : List.of(HttpsKeys.CERTIFICATE, HttpsKeys.KEY)) {
            if (values.get(file).isEmpty()) {
                faults.accept(
                        HttpsKeys.PORT.name()
                                + " needs "
                                + file.name()
                                + place(values, HttpsKeys.PORT));
            }
        }
        if (asks(values, HttpsKeys.CLIENT_CERTIFICATES) && values.get(HttpsKeys.TRUST).isEmpty()) {
            faults.accept(
                    HttpsKeys.CLIENT_CERTIFICATES.name()
                            + " needs "
                            + HttpsKeys.TRUST.name()
                            + place(values, HttpsKeys.CLIENT_CERTIFICATES));
        }
        if (ConfigBuilder.ownSelectors(values)) {
            faults.accept(
                    HttpsKeys.PORT.name()
                            + " needs "
                            + AgentKeys.TRANSPORT.name()
                            + " = auto"
                            + place(values, HttpsKeys.PORT, AgentKeys.TRANSPORT));
        }
    }

    private static void cache(Values values, Consumer<String> faults) {
        boolean wanted = values.get(ContextKeys.CACHE);
        for (String context : values.members(ContextKeys.CACHE)) {
            wanted |= values.of(ContextKeys.CACHE, context);
        }
        String file = values.get(CacheKeys.FILE);
        if (wanted && file.isEmpty()) {
            faults.accept(ContextKeys.CACHE.name() + " needs " + CacheKeys.FILE.name());
        }
        long size = values.get(CacheKeys.SIZE);
        int largest = values.get(CacheKeys.LARGEST).intValue();
        try {
            var _ = CacheMapConfig.of(Path.of(file), size).withLargestValue(largest);
        } catch (IllegalArgumentException e) {
            faults.accept(
                    "%s = %d does not go with %s = %d: %s%s"
                            .formatted(
                                    CacheKeys.SIZE.name(),
                                    size,
                                    CacheKeys.LARGEST.name(),
                                    largest,
                                    e.getMessage(),
                                    place(values, CacheKeys.SIZE, CacheKeys.LARGEST)));
        }
    }

    private static void modules(Values values, Consumer<String> faults) {
        for (String module : values.members(ModuleKeys.TYPE)) {
            if (values.of(ModuleKeys.TYPE, module).isEmpty()) {
                faults.accept(ModuleKeys.TYPE.nameOf(module) + " must be set");
            }
            if (values.of(ModuleKeys.CONTEXT, module).isEmpty()) {
                faults.accept(ModuleKeys.CONTEXT.nameOf(module) + " must be set");
            }
        }
    }

    private static void operators(Values values, Consumer<String> faults) {
        String file = values.get(OperationKeys.ADMIN_TOKEN);
        try {
            if (!file.isEmpty()) {
                AdminTokens.read(OperationKeys.ADMIN_TOKEN.name(), Path.of(file));
            }
        } catch (BadConfigurationException e) {
            e.faults().forEach(faults);
        }
        boolean asked = asks(values, HttpsKeys.CLIENT_CERTIFICATES);
        for (String name : values.members(OperatorKeys.CERTIFICATE)) {
            if (!asked) {
                String key = OperatorKeys.CERTIFICATE.nameOf(name);
                faults.accept(key + " needs " + HttpsKeys.CLIENT_CERTIFICATES.name());
            }
        }
    }

    private static void stickyKey(Values values, Consumer<String> faults) {
        secretFile(values, TrafficKeys.STICKY_KEY, LEAST_STICKY_KEY, faults);
    }

    private static void secretFile(
            Values values, Key<String> key, int least, Consumer<String> faults) {
        String file = values.get(key);
        if (file.isEmpty()) {
            return;
        }
        try {
            if (SecretFile.read(key.name(), Path.of(file)).length < least) {
                faults.accept(
                        "%s: %s has less than %d bytes%s"
                                .formatted(key.name(), file, least, place(values, key)));
            }
        } catch (BadConfigurationException e) {
            e.faults().forEach(faults);
        }
    }

    private static void cluster(Values values, Consumer<String> faults) {
        if (values.get(ClusterKeys.NATS).isEmpty()) {
            return;
        }
        for (Key<String> name : List.of(ClusterKeys.NODE, ClusterKeys.CLUSTER)) {
            if (values.get(name).isEmpty()) {
                faults.accept(
                        ClusterKeys.NATS.name()
                                + " needs "
                                + name.name()
                                + place(values, ClusterKeys.NATS));
            }
        }
        try {
            var _ = ClusterBuilder.access(values);
            var _ = ClusterBuilder.direct(values);
        } catch (BadConfigurationException e) {
            e.faults().forEach(faults);
        }
    }

    private static void errorPages(Values values, Consumer<String> faults) {
        Key<List<ErrorPageFile>> key = TrafficKeys.ERROR_PAGES;
        long limit = values.get(TrafficKeys.ERROR_PAGE_LIMIT);
        ErrorPages.read(values.get(key), limit, fault -> faults.accept(key.name() + ": " + fault));
        for (String context : values.members(key)) {
            ErrorPages.read(
                    values.of(key, context),
                    limit,
                    fault -> faults.accept(key.nameOf(context) + ": " + fault));
        }
    }

    private static void traces(Values values, Consumer<String> faults) {
        secretFile(values, TraceKeys.TOKEN_FILE, 0, faults);
    }

    private static void secrets(Values values, @Nullable String variable, Consumer<String> faults) {
        List<String> found = new ArrayList<>();
        new SecretsReader(found).read(values.get(OperationKeys.SECRETS_FILE), variable);
        found.forEach(faults);
    }

    /** Where keys that do not fit together stand; empty when nobody has set one. */
    private static String place(Values values, Key<?>... keys) {
        List<String> places = new ArrayList<>();
        for (Key<?> key : keys) {
            if (values.isSet(key)) {
                places.add(String.valueOf(values.origin(key.name())));
            }
        }
        return places.isEmpty() ? "" : " (" + String.join(", ", places) + ")";
    }
}
