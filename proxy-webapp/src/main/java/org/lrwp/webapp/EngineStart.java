package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheFileException;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.agent.AgentConfig;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.cache.CacheConfig;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.transport.SocketConfig;
import org.lrwp.engine.transport.tls.TlsConfig;
import org.lrwp.files.FileFault;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.PeersFile;
import org.lrwp.webapp.config.WebappConfig;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Starts the engine with what the configuration gives it: the ports of peers, and the response
 * cache. What cannot be had ends the start with one sentence that names the key.
 */
final class EngineStart {
    private static final System.Logger LOG = System.getLogger(EngineStart.class.getName());

    private EngineStart() {}

    /**
     * Starts it, with the plain port of peers open.
     *
     * @param clients have the selectors
     * @param requests is told of the end of each request
     * @throws StartException when the port cannot be had
     */
    static ProxyEngine start(
            ConfigReader.Opened opened,
            ClientSide clients,
            ExchangeListener requests,
            AuditTrail audit) {
        WebappConfig config = opened.live().get();
        AccessPolicy access = access(opened);
        warn(access);
        try {
            return ProxyEngine.start(
                    config.engine().with(access), requests, audit, clients.transport(config));
        } catch (IOException e) {
            AgentConfig agent = config.engine().agent();
            throw new StartException(
                    "The LRWP port %d of %s cannot be had (%s): set agent.port or agent.address to another"
                            .formatted(
                                    agent.port(), agent.address().getHostAddress(), e.getMessage()),
                    null);
        }
    }

    /**
     * Opens what a running engine has beside its plain port: TLS, the socket for peers of this
     * machine, the response cache.
     *
     * @throws StartException when one of them cannot be had
     */
    static void open(Live<WebappConfig> live, ProxyEngine engine) {
        WebappConfig config = live.get();
        openTls(config, engine);
        openSocket(config, engine);
        openCache(live, engine);
    }

    /** What the configuration says of peers, with the identities of their own file. */
    static AccessPolicy access(ConfigReader.Opened opened) {
        AccessPolicy without = opened.live().get().engine().agent().access();
        PeersFile peers = opened.peers();
        return peers == null ? without : without.with(peers.identities().get());
    }

    private static void warn(AccessPolicy access) {
        if (!access.required()) {
            LOG.log(
                    Level.WARNING,
                    "peers-unidentified reason=\"agent.authentication lets peers in without an"
                        + " identity: whoever reaches the agent's port may register what belongs to"
                        + " nobody\"");
        } else if (access.identities().isEmpty() && access.secrets().isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "peers-refused reason=\"agent.authentication is required, and there are no"
                            + " identities: set agent.peers-file or secrets-file\"");
        }
    }

    private static void openTls(WebappConfig config, ProxyEngine engine) {
        TlsConfig tls = config.tls();
        if (tls == null) {
            return;
        }
        try {
            engine.openTls(tls);
        } catch (IOException e) {
            throw new StartException(tlsFault(tls, e), null);
        }
        LOG.log(Level.INFO, "tls-listening address={0}", engine.tlsAddress());
    }

    private static String tlsFault(TlsConfig tls, IOException why) {
        Map<String, @Nullable Path> files = new LinkedHashMap<>();
        files.put("agent.tls.certificate", tls.certificate());
        files.put("agent.tls.key", tls.key());
        files.put("agent.tls.trust", tls.trust());
        files.put("agent.tls.revoked", tls.revoked());
        return FaultyFile.told(why, files)
                .map(fault -> "Peers cannot dial in inside TLS: " + fault)
                .orElseGet(
                        () ->
                                "Peers cannot dial in inside TLS at %s (%s): set agent.tls.* to other files or another port"
                                        .formatted(tls.address(), FileFault.of(why)));
    }

    private static void openSocket(WebappConfig config, ProxyEngine engine) {
        SocketConfig socket = config.socket();
        if (socket == null) {
            return;
        }
        try {
            engine.openSocket(socket);
        } catch (IOException | UnsupportedOperationException e) {
            throw new StartException(
                    "Peers cannot dial in by agent.socket = %s: %s"
                            .formatted(socket.path(), e.getMessage()),
                    null);
        }
        LOG.log(Level.INFO, "socket-listening path=\"{0}\"", socket.path());
    }

    private static void openCache(Live<WebappConfig> live, ProxyEngine engine) {
        CacheConfig cache = live.get().cache();
        if (cache == null) {
            return;
        }
        try {
            engine.openCache(cache, head -> live.get().request().env().trusts(head));
        } catch (CacheFileException | IllegalArgumentException e) {
            throw new StartException("The response cache cannot start: " + e.getMessage(), null);
        }
    }
}
