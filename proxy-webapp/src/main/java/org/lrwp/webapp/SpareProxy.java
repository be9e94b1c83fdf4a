package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.client.StallWatch;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.traces.RequestFollower;
import org.lrwp.webapp.traffic.Compressors;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * An edge and an engine beside those that serve, with the default configuration, peers at a free
 * port of loopback, and no container. What a new JVM is warmed up with is sent to them, and so is
 * in no figure, no log and no limit of the proxy. They are made of the classes that serve: with
 * others the JVM would compile the callers again when the first client comes. Not thread-safe.
 */
public final class SpareProxy implements AutoCloseable {
    private static final int NOT_FOUND = 404;
    private static final Map<String, String> CONFIGURATION =
            Map.of(
                    "lrwp.agent.address", "127.0.0.1",
                    "lrwp.agent.port", "0",
                    "lrwp.access-log.enabled", "false");

    private final ClientSide clients;
    private final StallWatch stalls = new StallWatch();
    private @Nullable Logs logs;
    private @Nullable ProxyEngine engine;

    private SpareProxy(GrizzlyReach reach) {
        clients = new ClientSide(KnownContainer.GLASSFISH, reach);
    }

    /**
     * Starts one. Blocks.
     *
     * @param reach has a listener of its own, which has no port yet
     * @return it, with the port of peers open
     * @throws IOException when the system gives no port or no selectors; nothing stays open
     */
    public static SpareProxy start(GrizzlyReach reach) throws IOException {
        var made = new SpareProxy(reach);
        try {
            made.open();
        } catch (BadConfigurationException e) {
            made.close();
            throw new IllegalStateException(e);
        } catch (IOException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
        return made;
    }

    private void open() throws IOException, BadConfigurationException {
        ConfigReader.Opened opened = ConfigReader.open(Map.of(), CONFIGURATION, null, "");
        WebappConfig config = opened.live().get();
        Logs written = Logs.open(opened);
        logs = written;
        clients.know(new WebFiles(Set.of()));
        var seen = new OperatorSide("", opened, written);
        ProxyEngine started =
                ProxyEngine.start(
                        config.engine(),
                        seen.requests(),
                        AuditTrail.NONE,
                        clients.transport(config));
        engine = started;
        ClientSettings settings =
                seen.clientSettings(stalls, new Compressors(), RequestFollower.NOBODY);
        clients.findContainer("", settings);
        clients.openEdge(
                "",
                true,
                started,
                settings,
                question -> OwnPages.Answer.error(NOT_FOUND),
                new RequestIds(0));
    }

    /**
     * Returns the port of peers.
     *
     * @return at 127.0.0.1
     */
    public int lrwpPort() {
        ProxyEngine started = engine;
        return started == null ? 0 : started.agentAddress().getPort();
    }

    /** Cuts all connections. Blocks. */
    @Override
    public void close() {
        Closing.quietly(engine);
        Closing.quietly(clients);
        Closing.quietly(stalls);
        Closing.quietly(logs);
    }
}
