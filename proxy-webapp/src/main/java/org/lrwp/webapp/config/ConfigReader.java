package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineConfig;
import org.lrwp.engine.agent.AgentConfig;
import org.lrwp.engine.agent.Secret;
import org.lrwp.engine.cache.CacheConfig;
import org.lrwp.engine.context.ContextConfig;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.exchange.ExchangeConfig;
import org.lrwp.engine.exchange.LeastRate;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the configuration as a whole: docs/configuration.md. Either everything in it is right, or
 * one exception lists all that is not.
 */
public final class ConfigReader {
    private static final int MOST_IO_THREADS = 4;
    private static final long MOST_PING = 86_400;

    private final List<String> faults;
    private final SettingSources sources;
    private final Settings settings;
    private final List<ModuleConfig> modules;
    private final Map<String, Secret> secrets;
    private final @Nullable Secret connectionSecret;

    private ConfigReader(
            Map<String, String> environment, Map<String, String> system, @Nullable Path folder) {
        sources = new SettingSources(environment, system, folder);
        faults = new ArrayList<>(sources.faults());
        modules = new ModulesReader(faults).read(sources.settings());
        settings = new Settings(ModulesReader.others(sources.settings()), faults);
        var reader = new SecretsReader(faults);
        secrets =
                reader.read(
                        settings.get(Keys.SECRETS_FILE),
                        environment.get(SettingSources.SECRETS_VARIABLE));
        connectionSecret = reader.connectionSecret();
    }

    /**
     * Reads the configuration.
     *
     * @param environment the environment, with {@code LRWP_*}
     * @param system system properties, with {@code lrwp.*}; {@code lrwp.config} names the file
     * @param folder where {@code lrwp.properties} is looked for when no file is named; null =
     *     nowhere
     * @param version version of the proxy, told to peers
     * @return the configuration
     * @throws ConfigException when anything is wrong with it
     */
    public static WebappConfig read(
            Map<String, String> environment,
            Map<String, String> system,
            @Nullable Path folder,
            String version)
            throws ConfigException {
        return new ConfigReader(environment, system, folder).build(version);
    }

    private WebappConfig build(String version) throws ConfigException {
        Path spoolFolder = spoolFolder();
        CacheConfig cache = cache();
        requireNetworks();
        requireContainer();
        requireReader();
        if (!faults.isEmpty()) {
            throw new ConfigException(faults);
        }
        var engine =
                new EngineConfig(
                        agent(version),
                        contexts(),
                        spool(spoolFolder),
                        settings.get(Keys.MAX_EXCHANGES),
                        settings.get(Keys.MAX_TUNNELS),
                        ioThreads());
        return new WebappConfig(
                engine,
                request(version),
                accessLog(),
                status(),
                cache,
                ownSelectors(),
                front(),
                settings.get(Keys.STRICT_HTTP),
                settings.get(Keys.DRAIN_TIME),
                modules,
                sources.unknownVariables());
    }

    private Path spoolFolder() {
        String named = settings.get(Keys.SPOOL_FOLDER);
        Path folder = Path.of(named.isEmpty() ? System.getProperty("java.io.tmpdir", "") : named);
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            faults.add(Keys.SPOOL_FOLDER.name() + ": " + folder + " is not a writable folder");
        }
        return folder;
    }

    private void requireNetworks() {
        InetAddress address = settings.get(AgentKeys.AGENT_ADDRESS);
        if (!address.isLoopbackAddress() && !settings.isSet(AgentKeys.AGENT_NETWORKS)) {
            faults.add(
                    AgentKeys.AGENT_ADDRESS.name()
                            + " = "
                            + address.getHostAddress()
                            + " can be reached from other hosts: set "
                            + AgentKeys.AGENT_NETWORKS.name()
                            + " to where peers may come from");
        }
    }

    private void requireContainer() {
        if (front() == Front.EDGE && ownSelectors()) {
            faults.add(
                    Keys.FRONT.name()
                            + " = edge needs "
                            + AgentKeys.AGENT_TRANSPORT.name()
                            + " = auto");
        }
    }

    private void requireReader() {
        boolean strict = settings.get(Keys.STRICT_HTTP) || front() == Front.EDGE;
        if (proxyProtocol() && (!strict || ownSelectors())) {
            faults.add(
                    ClientKeys.PROXY_PROTOCOL.name()
                            + " = on needs "
                            + Keys.STRICT_HTTP.name()
                            + " = true and "
                            + AgentKeys.AGENT_TRANSPORT.name()
                            + " = auto");
        }
    }

    private boolean proxyProtocol() {
        return settings.get(ClientKeys.PROXY_PROTOCOL).equals("on");
    }

    private Front front() {
        return Front.of(settings.get(Keys.FRONT));
    }

    private boolean ownSelectors() {
        return settings.get(AgentKeys.AGENT_TRANSPORT).equals("own");
    }

    private int ioThreads() {
        int set = settings.get(AgentKeys.AGENT_IO_THREADS);
        int half = Runtime.getRuntime().availableProcessors() / 2;
        return set > 0 ? set : Math.clamp(half, 1, MOST_IO_THREADS);
    }

    private AgentConfig agent(String version) {
        Duration registration = settings.get(AgentKeys.AGENT_REGISTRATION_TIME);
        int connections = settings.get(AgentKeys.AGENT_PEER_CONNECTIONS);
        var told =
                new ProxySettings(
                        "LRWP-Proxy/" + version,
                        PeerSettings.MIN_MAX_FRAME,
                        PeerSettings.DEFAULT_WINDOW,
                        (int)
                                Math.min(
                                        settings.get(AgentKeys.AGENT_PING_TIME).toSeconds(),
                                        MOST_PING),
                        Math.max(1, connections));
        var lrwp3 =
                new Lrwp3Config(
                        told,
                        connections == 0,
                        registration,
                        settings.get(AgentKeys.AGENT_MAX_CAPACITY),
                        settings.get(AgentKeys.AGENT_MAX_CONTEXTS_PER_PEER));
        return new AgentConfig(
                settings.get(AgentKeys.AGENT_ADDRESS),
                settings.get(AgentKeys.AGENT_PORT),
                settings.get(AgentKeys.AGENT_NETWORKS),
                registration,
                settings.get(AgentKeys.AGENT_SETTLE),
                settings.get(AgentKeys.AGENT_MAX_PEERS),
                settings.get(AgentKeys.AGENT_MAX_PEERS_PER_ADDRESS),
                settings.get(AgentKeys.AGENT_ALLOWED_CONTEXTS),
                secrets,
                connectionSecret,
                lrwp3);
    }

    private ContextConfigs contexts() {
        Set<String> names = new TreeSet<>(settings.contexts());
        names.addAll(settings.get(Keys.READY_CONTEXTS));
        Map<String, ContextConfig> named = new HashMap<>();
        names.forEach(name -> named.put(name, context(name, true)));
        return new ContextConfigs(context("", false), named);
    }

    private ContextConfig context(String name, boolean named) {
        var exchange =
                new ExchangeConfig(
                        settings.get(Keys.QUEUE_TIME, name),
                        settings.get(Keys.REQUEST_BODY, name),
                        settings.get(Keys.BODY_TIMEOUT, name),
                        new LeastRate(
                                settings.get(ClientKeys.BODY_RATE),
                                settings.get(ClientKeys.BODY_GRACE)),
                        settings.get(Keys.START_SIZE, name).intValue(),
                        settings.get(Keys.START_DELAY, name));
        var peer =
                new PeerConfig(
                        settings.get(Keys.RESPONSE_TIMEOUT, name),
                        settings.get(Keys.SEND_TIMEOUT, name),
                        settings.get(Keys.LOOK_BEFORE_SEND, name),
                        settings.get(Keys.ANSWER_HEAD, name).intValue(),
                        settings.get(Keys.TUNNEL_IDLE));
        return new ContextConfig(
                exchange,
                peer,
                settings.get(Keys.QUEUE_LENGTH, name),
                settings.get(Keys.GRACE, name),
                named);
    }

    private @Nullable CacheConfig cache() {
        Map<String, Boolean> named = new HashMap<>();
        for (String name : settings.contexts()) {
            named.put(name, settings.get(CacheKeys.CACHE, name));
        }
        boolean others = settings.get(CacheKeys.CACHE);
        if (!others && !named.containsValue(true)) {
            return null;
        }
        if (settings.get(CacheKeys.FILE).isEmpty()) {
            faults.add(CacheKeys.CACHE.name() + " needs " + CacheKeys.FILE.name());
        }
        return new CacheConfig(
                named,
                others,
                Path.of(settings.get(CacheKeys.FILE)),
                settings.get(CacheKeys.SIZE),
                settings.get(CacheKeys.LARGEST).intValue(),
                Double.parseDouble(settings.get(CacheKeys.HEURISTIC)),
                new CacheConfig.Limits(
                        settings.get(CacheKeys.WAITING), settings.get(CacheKeys.PASS_TIME)),
                settings.get(CacheKeys.PURGE_NETWORKS),
                settings.get(CacheKeys.PURGE_TOKEN));
    }

    private SpoolConfig spool(Path folder) {
        return new SpoolConfig(
                folder,
                settings.get(Keys.SPOOL_MEMORY_PER_BODY),
                settings.get(Keys.SPOOL_MEMORY_TOTAL),
                settings.get(Keys.SPOOL_DISK_TOTAL),
                settings.get(Keys.SPOOL_ANSWER_LIMIT));
    }

    private RequestConfig request(String version) {
        var env =
                new EnvConfig(
                        "LRWP-Proxy/" + version,
                        version,
                        settings.get(Keys.XITAMI_VARIABLES),
                        settings.get(Keys.TRUSTED_PROXIES),
                        settings.get(Keys.DOCUMENT_ROOT),
                        settings.get(Keys.ENV_BLOCK).intValue());
        return new RequestConfig(
                env,
                settings.get(Keys.REQUEST_HEAD),
                settings.get(Keys.DROP_LIMIT),
                settings.get(Keys.STALL_TIMEOUT),
                settings.get(Keys.WRITE_AHEAD).intValue(),
                settings.get(Keys.FILE_THREADS),
                client());
    }

    private ClientConfig client() {
        List<Network> exempt = new ArrayList<>(settings.get(Keys.TRUSTED_PROXIES));
        exempt.addAll(settings.get(ClientKeys.EXEMPT));
        return new ClientConfig(
                settings.get(ClientKeys.HALF_CLOSE).equals("allowed"),
                settings.get(ClientKeys.HEAD_TIMEOUT),
                settings.get(ClientKeys.BODY_GRACE),
                settings.get(ClientKeys.MAX_RESETS),
                new AddressLimits(
                        settings.get(ClientKeys.MAX_CONNECTIONS),
                        settings.get(ClientKeys.MAX_REQUESTS),
                        exempt),
                proxyProtocol());
    }

    private AccessLogConfig accessLog() {
        String file = settings.get(Keys.ACCESS_LOG_FILE);
        return new AccessLogConfig(
                settings.get(Keys.ACCESS_LOG),
                settings.get(Keys.ACCESS_LOG_FORMAT).equals("json"),
                file.isEmpty() ? null : Path.of(file),
                settings.get(Keys.ACCESS_LOG_QUEUE));
    }

    private StatusConfig status() {
        return new StatusConfig(
                settings.get(Keys.STATUS_NETWORKS),
                settings.get(Keys.STATUS_HOSTS),
                settings.get(Keys.STATUS_FORWARDED),
                settings.get(Keys.READY_CONTEXTS));
    }
}
