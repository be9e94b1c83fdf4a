package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineConfig;
import org.lrwp.engine.agent.AgentConfig;
import org.lrwp.engine.agent.PeerLimits;
import org.lrwp.engine.cache.CacheConfig;
import org.lrwp.engine.context.ContextConfig;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.context.HealthConfig;
import org.lrwp.engine.context.StickyConfig;
import org.lrwp.engine.exchange.ExchangeConfig;
import org.lrwp.engine.exchange.LeastRate;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.identity.ContextPattern;
import org.lrwp.engine.identity.Scope;
import org.lrwp.engine.identity.Secret;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.transport.SocketConfig;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.engine.transport.tls.TlsConfig;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.operation.SecretFile;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Makes of values that {@link ProxyRules} has checked the records of the proxy's parts. */
final class ConfigBuilder {
    private static final int MOST_IO_THREADS = 4;
    private static final long MOST_PING = 86_400;

    private final Values values;
    private final String version;
    private final @Nullable String secretsVariable;

    /**
     * Creates the builder of one configuration.
     *
     * @param values the values
     * @param version of the proxy, told to peers
     * @param secretsVariable what the environment says of secrets; null for nothing
     */
    ConfigBuilder(Values values, String version, @Nullable String secretsVariable) {
        this.values = values;
        this.version = version;
        this.secretsVariable = secretsVariable;
    }

    WebappConfig build(List<String> unknownVariables) {
        var logs = new LogBuilder(values);
        var engine =
                new EngineConfig(
                        agent(),
                        contexts(),
                        spool(),
                        values.get(RequestKeys.MAX_EXCHANGES),
                        values.get(RequestKeys.MAX_TUNNELS),
                        ioThreads());
        return new WebappConfig(
                engine,
                tls(),
                socket(),
                request(),
                logs.access(),
                logs.audit(),
                TraceKeys.config(values),
                status(),
                admin(),
                cache(),
                ownSelectors(values),
                front(values),
                values.get(RequestKeys.STRICT_HTTP),
                https(),
                values.get(OperationKeys.DRAIN_TIME),
                values.get(OperationKeys.DRAIN_NOTICE),
                new ClusterBuilder(values).build(),
                modules(),
                unknownVariables);
    }

    /** Where temporary files are made. */
    static Path spoolFolder(Values values) {
        String named = values.get(SpoolKeys.FOLDER);
        return Path.of(named.isEmpty() ? System.getProperty("java.io.tmpdir", "") : named);
    }

    static boolean proxyProtocol(Values values) {
        return values.get(ClientKeys.PROXY_PROTOCOL).equals("on");
    }

    static Front front(Values values) {
        return Front.of(values.get(RequestKeys.FRONT));
    }

    static boolean ownSelectors(Values values) {
        return values.get(AgentKeys.TRANSPORT).equals("own");
    }

    private int ioThreads() {
        return orHalfTheProcessors(values.get(AgentKeys.IO_THREADS), MOST_IO_THREADS);
    }

    private static int orHalfTheProcessors(int set, int most) {
        int half = Runtime.getRuntime().availableProcessors() / 2;
        return set > 0 ? set : Math.clamp(half, 1, most);
    }

    private AgentConfig agent() {
        Duration registration = values.get(AgentKeys.REGISTRATION_TIME);
        int connections = values.get(AgentKeys.PEER_CONNECTIONS);
        var told =
                new ProxySettings(
                        "LRWP-Proxy/" + version,
                        PeerSettings.MIN_MAX_FRAME,
                        PeerSettings.DEFAULT_WINDOW,
                        pingSeconds(),
                        Math.max(1, connections));
        var lrwp3 =
                new Lrwp3Config(
                        told,
                        connections == 0,
                        registration,
                        values.get(AgentKeys.MAX_CAPACITY),
                        values.get(AgentKeys.MAX_CONTEXTS_PER_PEER));
        return new AgentConfig(
                values.get(AgentKeys.ADDRESS),
                values.get(AgentKeys.PORT),
                values.get(AgentKeys.NETWORKS),
                registration,
                values.get(AgentKeys.SETTLE),
                new PeerLimits(
                        values.get(AgentKeys.MAX_PEERS),
                        values.get(AgentKeys.MAX_PEERS_PER_ADDRESS),
                        values.get(AgentKeys.MAX_UNREGISTERED),
                        values.get(AgentKeys.WRONG_PROOFS),
                        values.get(AgentKeys.REGISTRATION_RATE),
                        values.get(AgentKeys.REGISTRATION_BURST),
                        values.get(AgentKeys.REFUSAL_LINES)),
                access(),
                lrwp3);
    }

    /** Who may register what, but for the identities: those are in a file of their own. */
    private AccessPolicy access() {
        SecretsReader reader = new SecretsReader(new ArrayList<>());
        Map<String, Secret> secrets =
                reader.read(values.get(OperationKeys.SECRETS_FILE), secretsVariable);
        return new AccessPolicy(
                isIdentityRequired(),
                values.get(AgentKeys.MIN_VERSION),
                values.get(AgentKeys.ALLOWED_CONTEXTS),
                secrets,
                reader.connectionSecret(),
                modules().stream().map(ConfigBuilder::scope).toList(),
                Map.of());
    }

    private boolean isIdentityRequired() {
        String set = values.get(AgentKeys.AUTHENTICATION);
        boolean tls = !values.get(TlsKeys.CERTIFICATE).isEmpty();
        boolean reachable =
                !values.get(AgentKeys.ADDRESS).isLoopbackAddress()
                        || (tls && !values.get(TlsKeys.ADDRESS).isLoopbackAddress());
        return set.equals("auto") ? reachable : set.equals("required");
    }

    private static Scope scope(ModuleConfig module) {
        return new Scope(
                module.contexts().stream().map(ContextPattern::exactly).toList(),
                module.virtualHost().isEmpty() ? Set.of() : Set.of(module.virtualHost()));
    }

    private @Nullable TlsConfig tls() {
        String certificate = values.get(TlsKeys.CERTIFICATE);
        if (certificate.isEmpty()) {
            return null;
        }
        return new TlsConfig(
                new InetSocketAddress(values.get(TlsKeys.ADDRESS), values.get(TlsKeys.PORT)),
                Path.of(certificate),
                Path.of(values.get(TlsKeys.KEY)),
                clientCertificates(values, TlsKeys.CLIENT_CERTIFICATES),
                path(values.get(TlsKeys.TRUST)),
                path(values.get(TlsKeys.REVOKED)),
                values.get(TlsKeys.RELOAD_TIME),
                orHalfTheProcessors(values.get(TlsKeys.HANDSHAKES), Integer.MAX_VALUE));
    }

    private @Nullable SocketConfig socket() {
        Path path = path(values.get(AgentKeys.SOCKET));
        return path == null
                ? null
                : new SocketConfig(
                        path,
                        values.get(AgentKeys.SOCKET_MODE),
                        values.get(AgentKeys.SOCKET_GROUP));
    }

    static ClientCertificates clientCertificates(Values values, Key<String> key) {
        return ClientCertificates.valueOf(values.get(key).toUpperCase(Locale.ROOT));
    }

    private ContextConfigs contexts() {
        Set<String> names = new TreeSet<>(values.members(ContextKeys.GRACE));
        names.addAll(values.get(OperationKeys.READY_CONTEXTS));
        Map<String, ContextConfig> named = new HashMap<>();
        names.forEach(name -> named.put(name, context(name, true)));
        return new ContextConfigs(context("", false), named);
    }

    private ContextConfig context(String name, boolean named) {
        var exchange =
                new ExchangeConfig(
                        of(ContextKeys.QUEUE_TIME, name),
                        of(ContextKeys.REQUEST_BODY, name),
                        of(ContextKeys.BODY_TIMEOUT, name),
                        new LeastRate(
                                values.get(ClientKeys.BODY_RATE),
                                values.get(ClientKeys.BODY_GRACE)),
                        of(ContextKeys.START_SIZE, name).intValue(),
                        of(ContextKeys.START_DELAY, name));
        var peer =
                new PeerConfig(
                        of(ContextKeys.RESPONSE_TIMEOUT, name),
                        of(ContextKeys.SEND_TIMEOUT, name),
                        of(ContextKeys.LOOK_BEFORE_SEND, name),
                        of(ContextKeys.ANSWER_HEAD, name).intValue(),
                        values.get(RequestKeys.TUNNEL_IDLE));
        return new ContextConfig(
                exchange,
                peer,
                of(ContextKeys.QUEUE_LENGTH, name),
                of(ContextKeys.GRACE, name),
                new HealthConfig(
                        of(ContextKeys.EJECT_AFTER, name),
                        of(ContextKeys.EJECT_TIME, name),
                        of(ContextKeys.EJECT_SHARE, name),
                        of(ContextKeys.SLOW_START, name)),
                new StickyConfig(
                        !of(TrafficKeys.STICKY_COOKIE, name).isEmpty(),
                        of(TrafficKeys.STICKY_WAIT, name),
                        stickyKey()),
                named);
    }

    private StickyKey stickyKey() {
        String file = values.get(TrafficKeys.STICKY_KEY);
        return file.isEmpty()
                ? StickyKey.OF_THIS_RUN
                : new StickyKey(new Secret(secret(TrafficKeys.STICKY_KEY, file)));
    }

    private static byte[] secret(Key<String> key, String file) {
        try {
            return SecretFile.read(key.name(), Path.of(file));
        } catch (BadConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private @Nullable CacheConfig cache() {
        Map<String, Boolean> named = new HashMap<>();
        for (String name : values.members(ContextKeys.GRACE)) {
            named.put(name, of(ContextKeys.CACHE, name));
        }
        boolean others = values.get(ContextKeys.CACHE);
        if (!others && !named.containsValue(true)) {
            return null;
        }
        return new CacheConfig(
                named,
                others,
                Path.of(values.get(CacheKeys.FILE)),
                values.get(CacheKeys.SIZE),
                values.get(CacheKeys.LARGEST).intValue(),
                Double.parseDouble(values.get(CacheKeys.HEURISTIC)),
                new CacheConfig.Limits(
                        values.get(CacheKeys.WAITING), values.get(CacheKeys.PASS_TIME)),
                values.get(CacheKeys.PURGE_NETWORKS),
                purgeToken());
    }

    private String purgeToken() {
        String file = values.get(CacheKeys.PURGE_TOKEN_FILE);
        return file.isEmpty()
                ? ""
                : new String(secret(CacheKeys.PURGE_TOKEN_FILE, file), StandardCharsets.UTF_8);
    }

    private SpoolConfig spool() {
        return new SpoolConfig(
                spoolFolder(values),
                values.get(SpoolKeys.MEMORY_PER_BODY),
                values.get(SpoolKeys.MEMORY_TOTAL),
                values.get(SpoolKeys.DISK_TOTAL),
                values.get(SpoolKeys.ANSWER_LIMIT));
    }

    private RequestConfig request() {
        var env =
                new EnvConfig(
                        "LRWP-Proxy/" + version,
                        version,
                        values.get(RequestKeys.XITAMI_VARIABLES),
                        values.get(RequestKeys.TRUSTED_PROXIES),
                        values.get(RequestKeys.DOCUMENT_ROOT),
                        values.get(RequestKeys.ENV_BLOCK).intValue());
        return new RequestConfig(
                env,
                values.get(RequestKeys.REQUEST_HEAD),
                values.get(RequestKeys.DROP_LIMIT),
                values.get(RequestKeys.STALL_TIMEOUT),
                new WriteAhead(
                        values.get(RequestKeys.WRITE_AHEAD).intValue(),
                        values.get(RequestKeys.WRITE_AHEAD_TOTAL)),
                values.get(RequestKeys.FILE_THREADS),
                client(),
                new HttpsRules(values.get(HttpsKeys.REDIRECT_PORT), values.get(HttpsKeys.HSTS)),
                traffic(),
                lowerCase(values.get(OperationKeys.OWN_HOSTS)));
    }

    private static Set<String> lowerCase(Set<String> names) {
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    private TrafficConfig traffic() {
        Map<String, TrafficRules> named = new HashMap<>();
        for (String name : values.members(TrafficKeys.RATE)) {
            named.put(name, traffic(name));
        }
        return new TrafficConfig(
                traffic(""),
                named,
                values.get(TrafficKeys.COMPRESS_STREAMS),
                new InspectorConfig(values.get(InspectKeys.MEMORY), values.get(InspectKeys.MASK)),
                values.get(TrafficKeys.CLIENTS));
    }

    private TrafficRules traffic(String name) {
        return new TrafficRules(
                new ClientLimit(
                        of(TrafficKeys.RATE, name),
                        of(TrafficKeys.BURST, name),
                        of(TrafficKeys.AT_ONCE, name),
                        of(TrafficKeys.NAME, name)),
                new FieldChanges(
                        of(TrafficKeys.REQUEST_REMOVED, name), of(TrafficKeys.REQUEST_SET, name)),
                new FieldChanges(
                        of(TrafficKeys.ANSWER_REMOVED, name), of(TrafficKeys.ANSWER_SET, name)),
                new CompressionRules(
                        of(TrafficKeys.COMPRESS, name),
                        of(TrafficKeys.COMPRESS_LEAST, name),
                        of(TrafficKeys.COMPRESS_TYPES, name)),
                new StickyRules(
                        of(TrafficKeys.STICKY_COOKIE, name),
                        of(TrafficKeys.STICKY_ATTRIBUTES, name)),
                new InspectRules(
                        of(InspectKeys.REQUESTS, name), of(InspectKeys.BODY, name).intValue()),
                ErrorPages.read(
                        of(TrafficKeys.ERROR_PAGES, name),
                        values.get(TrafficKeys.ERROR_PAGE_LIMIT),
                        ConfigBuilder::refuse));
    }

    /** A file that was right a moment ago. */
    private static void refuse(String fault) {
        throw new IllegalArgumentException(fault);
    }

    private ClientConfig client() {
        List<Network> exempt = new ArrayList<>(values.get(RequestKeys.TRUSTED_PROXIES));
        exempt.addAll(values.get(ClientKeys.EXEMPT));
        return new ClientConfig(
                values.get(ClientKeys.HALF_CLOSE).equals("allowed"),
                values.get(ClientKeys.HEAD_TIMEOUT),
                values.get(ClientKeys.BODY_GRACE),
                values.get(ClientKeys.MAX_RESETS),
                new AddressLimits(
                        values.get(ClientKeys.MAX_CONNECTIONS),
                        values.get(ClientKeys.MAX_REQUESTS),
                        exempt),
                proxyProtocol(values));
    }

    private @Nullable HttpsConfig https() {
        int port = values.get(HttpsKeys.PORT);
        return port == 0
                ? null
                : new HttpsConfig(
                        values.get(HttpsKeys.ADDRESS),
                        port,
                        Path.of(values.get(HttpsKeys.CERTIFICATE)),
                        Path.of(values.get(HttpsKeys.KEY)),
                        clientCertificates(values, HttpsKeys.CLIENT_CERTIFICATES),
                        path(values.get(HttpsKeys.TRUST)),
                        path(values.get(HttpsKeys.REVOKED)),
                        path(values.get(HttpsKeys.CHALLENGES)),
                        orHalfTheProcessors(values.get(HttpsKeys.HANDSHAKES), Integer.MAX_VALUE),
                        values.get(HttpsKeys.WAITING_HANDSHAKES));
    }

    private StatusConfig status() {
        return new StatusConfig(
                values.get(OperationKeys.STATUS_NETWORKS),
                values.get(OperationKeys.STATUS_HOSTS),
                values.get(OperationKeys.STATUS_FORWARDED),
                values.get(OperationKeys.READY_CONTEXTS),
                values.get(OperationKeys.METRIC_CONTEXTS));
    }

    private AdminConfig admin() {
        String file = values.get(OperationKeys.ADMIN_TOKEN);
        Map<String, List<CertificatePattern>> certificates = new HashMap<>();
        for (String name : values.members(OperatorKeys.CERTIFICATE)) {
            certificates.put(name, values.of(OperatorKeys.CERTIFICATE, name));
        }
        return new AdminConfig(
                file.isEmpty() ? null : Path.of(file),
                certificates,
                values.get(OperationKeys.ADMIN_SESSION));
    }

    List<ModuleConfig> modules() {
        List<ModuleConfig> modules = new ArrayList<>();
        for (String name : values.members(ModuleKeys.TYPE)) {
            if (!values.of(ModuleKeys.ENABLED, name)) {
                continue;
            }
            modules.add(
                    new ModuleConfig(
                            name,
                            values.of(ModuleKeys.TYPE, name),
                            List.copyOf(values.of(ModuleKeys.CONTEXT, name)),
                            values.of(ModuleKeys.VHOST, name),
                            values.of(ModuleKeys.CAPACITY, name),
                            path(values.of(ModuleKeys.CONFIG, name)),
                            values.of(ModuleKeys.ADMIN_PORT, name),
                            path(values.of(ModuleKeys.ADMIN_TOKEN_FILE, name)),
                            ownOf(name)));
        }
        return modules;
    }

    /** What is set of a module and not one of the keys that all have: its own. */
    private Map<String, Setting> ownOf(String module) {
        Map<String, Setting> own = new HashMap<>();
        values.under(ModuleKeys.HEAD + module + ".")
                .forEach(
                        (name, setting) -> {
                            // For the module the whole of this configuration is its start.
                            Origin start =
                                    new Origin(Origin.Kind.START, setting.origin().toString());
                            own.put(name, new Setting(setting.text(), start));
                        });
        ModuleKeys.all().forEach(key -> own.remove(key.name().substring(ModuleKeys.EACH.length())));
        return own;
    }

    /** What peers are told: never 0 for a part of a second, which is for never. */
    private int pingSeconds() {
        long seconds = Math.ceilDiv(values.get(AgentKeys.PING_TIME).toMillis(), 1_000);
        return (int) Math.min(seconds, MOST_PING);
    }

    private static @Nullable Path path(String text) {
        return text.isEmpty() ? null : Path.of(text);
    }

    /** A limit of a context; of all when the name is empty. */
    private <T> T of(Key<T> key, String context) {
        return context.isEmpty() ? values.get(key) : values.of(key, context);
    }
}
