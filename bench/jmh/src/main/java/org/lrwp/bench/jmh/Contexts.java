package org.lrwp.bench.jmh;

import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.context.ContextConfig;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.ExchangeConfig;
import org.lrwp.engine.peer.Lrwp1Connection;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.protocol.FilterSkipper;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

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
                    64 * 1024,
                    Duration.ofMillis(100));
    private static final PeerConfig PEER =
            new PeerConfig(Duration.ofSeconds(60), Duration.ofSeconds(10), true, 64 * 1024);
    private static final ContextConfig CONFIG =
            new ContextConfig(EXCHANGE, PEER, 1000, Duration.ofSeconds(10), false);

    private final ContextAssistantManager manager =
            new ContextAssistantManager(
                    new ContextConfigs(CONFIG, Map.of()), NanoClock.SYSTEM, NEVER);

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
                        new PeerEnvironment(NanoClock.SYSTEM, NEVER, manager, context -> PEER),
                        new FilterSkipper());
        manager.admit(connection);
        for (String context : contexts) {
            manager.register(connection, new ServedContext(context, ""));
        }
        connection.settle(0);
        return connection;
    }

    Dispatcher context(String path) {
        ContextMatch match = manager.match("", path);
        if (match == null) {
            throw new IllegalStateException("no context for " + path);
        }
        return match.assistant();
    }
}
