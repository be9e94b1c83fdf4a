package org.lrwp.bench.jmh;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.context.ContextConfig;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.context.HealthConfig;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.ExchangeConfig;
import org.lrwp.engine.exchange.LeastRate;
import org.lrwp.engine.peer.ContextRegistrar;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.multiplexed.Lrwp3Connection;
import org.lrwp.engine.peer.serial.Lrwp1Connection;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.protocol.FilterSkipper;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.frame.ProxySettings;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;

/** Contexts with peers in memory; no deadline ever comes. */
final class Contexts {
    static final Deadlines NEVER = (delay, task) -> () -> {};
    static final ExchangeConfig EXCHANGE =
            new ExchangeConfig(
                    Duration.ofSeconds(10),
                    1 << 20,
                    Duration.ofSeconds(30),
                    LeastRate.NONE,
                    64 * 1024,
                    Duration.ofMillis(100));
    private static final PeerConfig PEER =
            new PeerConfig(
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(10),
                    true,
                    64 * 1024,
                    Duration.ofMinutes(10));
    private static final ContextConfig CONFIG =
            new ContextConfig(
                    EXCHANGE, PEER, 1000, Duration.ofSeconds(10), HealthConfig.OFF, false);

    private static final Lrwp3Config LRWP_3 =
            new Lrwp3Config(ProxySettings.DEFAULT, false, Duration.ofSeconds(10), 1, 1);

    private final ContextAssistantManager manager =
            new ContextAssistantManager(
                    new ContextConfigs(CONFIG, Map.of()), NanoClock.SYSTEM, NEVER);
    private final PeerEnvironment environment =
            new PeerEnvironment(NanoClock.SYSTEM, NEVER, manager, context -> PEER);

    ContextAssistantManager manager() {
        return manager;
    }

    /** An LRWP 1 peer that serves the contexts. */
    Lrwp1Connection join(PipeLink link, String... contexts) {
        var connection =
                new Lrwp1Connection(
                        link,
                        new Registration(ProtocolVersion.LRWP_1, "osp", ""),
                        PEER,
                        environment,
                        new FilterSkipper(),
                        "anonymous");
        manager.admit(connection);
        for (String context : contexts) {
            manager.register(connection, new ServedContext(context, ""), "bench");
        }
        connection.settle(0);
        return connection;
    }

    /** An LRWP 3 peer with one slot that serves the context. */
    Lrwp3Connection joinMultiplexed(PipeLink link, String context) {
        var connection =
                new Lrwp3Connection(
                        link,
                        new Registration(ProtocolVersion.LRWP_3, context, ""),
                        LRWP_3,
                        environment,
                        new Registrar());
        manager.admit(connection);
        connection.start();
        link.says(connection, ByteBuffer.wrap(PeerSettings.DEFAULT.encode()));
        return connection;
    }

    /** Whoever asks for a context gets it. */
    private final class Registrar implements ContextRegistrar {
        @Override
        public void opened(PeerConnection connection) {
            manager.opened(connection);
        }

        @Override
        public String identity() {
            return "bench";
        }

        @Override
        public long turnNanos() {
            return 0;
        }

        @Override
        public @Nullable String register(PeerConnection connection, ServedContext context) {
            manager.register(connection, context, "bench");
            return null;
        }

        @Override
        public void unregister(PeerConnection connection, ServedContext context) {
            manager.unregister(connection, context);
        }
    }

    Dispatcher context(String path) {
        ContextMatch match = manager.match("", path);
        if (match == null) {
            throw new IllegalStateException("no context for " + path);
        }
        return match.assistant();
    }
}
