package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheMapConfig;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
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
import java.util.stream.Stream;

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
        trust(
                values,
                TlsKeys.CLIENT_CERTIFICATES,
                TlsKeys.REVOKED,
                TlsKeys.TRUST,
                TlsKeys.CERTIFICATE,
                faults);
    }

    /** Without authorities no certificate can be checked, nor a list of revoked ones. */
    private static void trust(
            Values values,
            Key<String> asked,
            Key<String> revoked,
            Key<String> trust,
            Key<?> listener,
            Consumer<String> faults) {
        boolean revokes = !values.get(revoked).isEmpty();
        if (values.get(trust).isEmpty() && (revokes || asks(values, asked))) {
            Key<String> key = revokes ? revoked : asked;
            faults.accept(
                    key.name()
                            + " needs "
                            + trust.name()
                            + place(values, values.isSet(key) ? key : listener));
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
        trust(
                values,
                HttpsKeys.CLIENT_CERTIFICATES,
                HttpsKeys.REVOKED,
                HttpsKeys.TRUST,
                HttpsKeys.PORT,
                faults);
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
        String wanted = whoWantsCache(values);
        String file = values.get(CacheKeys.FILE);
        if (!wanted.isEmpty() && file.isEmpty()) {
            faults.accept(
                    wanted
                            + " = true needs "
                            + CacheKeys.FILE.name()
                            + placeOf(values, List.of(wanted)));
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

    /** The name of a setting that turns the cache on; empty when none does. */
    private static String whoWantsCache(Values values) {
        if (values.get(ContextKeys.CACHE)) {
            return ContextKeys.CACHE.name();
        }
        for (String context : values.members(ContextKeys.CACHE)) {
            if (values.of(ContextKeys.CACHE, context)) {
                return ContextKeys.CACHE.nameOf(context);
            }
        }
        return "";
    }

    private static void modules(Values values, Consumer<String> faults) {
        for (String module : values.members(ModuleKeys.TYPE)) {
            require(
                    values,
                    ModuleKeys.TYPE.nameOf(module),
                    values.of(ModuleKeys.TYPE, module).isEmpty(),
                    faults);
            require(
                    values,
                    ModuleKeys.CONTEXT.nameOf(module),
                    values.of(ModuleKeys.CONTEXT, module).isEmpty(),
                    faults);
        }
    }

    private static void require(
            Values values, String name, boolean missing, Consumer<String> faults) {
        if (missing && !values.isFaulty(name)) {
            faults.accept(name + " must be set" + placeOf(values, List.of(name)));
        }
    }

    /** Reads files that keys name. */
    @FunctionalInterface
    private interface Reading {
        void read() throws BadConfigurationException;
    }

    private static void read(
            Values values, Consumer<String> faults, Reading reading, Key<?>... keys) {
        try {
            reading.read();
        } catch (BadConfigurationException e) {
            e.faults().forEach(fault -> faults.accept(fault + place(values, keys)));
        }
    }

    private static void operators(Values values, Consumer<String> faults) {
        String file = values.get(OperationKeys.ADMIN_TOKEN);
        if (!file.isEmpty()) {
            read(
                    values,
                    faults,
                    () -> AdminTokens.read(OperationKeys.ADMIN_TOKEN.name(), Path.of(file)),
                    OperationKeys.ADMIN_TOKEN);
        }
        boolean asked = asks(values, HttpsKeys.CLIENT_CERTIFICATES);
        for (String name : values.members(OperatorKeys.CERTIFICATE)) {
            if (!asked) {
                String key = OperatorKeys.CERTIFICATE.nameOf(name);
                faults.accept(
                        key
                                + " needs "
                                + HttpsKeys.CLIENT_CERTIFICATES.name()
                                + placeOf(values, List.of(key)));
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
        read(
                values,
                faults,
                () -> {
                    if (SecretFile.read(key.name(), Path.of(file)).length < least) {
                        throw new BadConfigurationException(
                                "%s: %s has less than %d bytes".formatted(key.name(), file, least));
                    }
                },
                key);
    }

    private static void cluster(Values values, Consumer<String> faults) {
        if (values.get(ClusterKeys.NATS).isEmpty()) {
            return;
        }
        for (Key<String> name : List.of(ClusterKeys.NODE, ClusterKeys.CLUSTER)) {
            if (values.get(name).isEmpty() && !values.isFaulty(name.name())) {
                faults.accept(
                        ClusterKeys.NATS.name()
                                + " needs "
                                + name.name()
                                + place(values, ClusterKeys.NATS));
            }
        }
        read(values, faults, () -> ClusterBuilder.login(values), ClusterKeys.LOGIN_FILE);
        read(
                values,
                faults,
                () -> ClusterBuilder.tls(values),
                ClusterKeys.TLS_TRUST,
                ClusterKeys.TLS_CERTIFICATE,
                ClusterKeys.TLS_KEY);
        read(values, faults, () -> ClusterBuilder.direct(values), ClusterKeys.SECRET_FILE);
    }

    private static void errorPages(Values values, Consumer<String> faults) {
        Key<List<ErrorPageFile>> key = TrafficKeys.ERROR_PAGES;
        errorPages(values, key.name(), values.get(key), faults);
        for (String context : values.members(key)) {
            String name = key.nameOf(context);
            // Others have the pages of all contexts, whose faults are told once.
            if (!values.origin(name).equals(Origin.DEFAULT)) {
                errorPages(values, name, values.of(key, context), faults);
            }
        }
    }

    private static void errorPages(
            Values values, String name, List<ErrorPageFile> files, Consumer<String> faults) {
        ErrorPages.read(
                files,
                values.get(TrafficKeys.ERROR_PAGE_LIMIT),
                fault -> faults.accept(name + ": " + fault + placeOf(values, List.of(name))));
    }

    private static void traces(Values values, Consumer<String> faults) {
        secretFile(values, TraceKeys.TOKEN_FILE, 0, faults);
    }

    private static void secrets(Values values, @Nullable String variable, Consumer<String> faults) {
        List<String> inFile = new ArrayList<>();
        new SecretsReader(inFile).read(values.get(OperationKeys.SECRETS_FILE), null);
        inFile.forEach(fault -> faults.accept(fault + place(values, OperationKeys.SECRETS_FILE)));
        List<String> inVariable = new ArrayList<>();
        new SecretsReader(inVariable).read("", variable);
        inVariable.forEach(faults);
    }

    /** Where keys that do not fit together stand; empty when nobody has set one. */
    private static String place(Values values, Key<?>... keys) {
        return placeOf(values, Stream.of(keys).map(Key::name).toList());
    }

    /** The same for names of settings. */
    private static String placeOf(Values values, List<String> names) {
        List<String> places =
                names.stream()
                        .map(values::origin)
                        .filter(origin -> !origin.equals(Origin.DEFAULT))
                        .map(Origin::toString)
                        .toList();
        return places.isEmpty() ? "" : " (" + String.join(", ", places) + ")";
    }
}
