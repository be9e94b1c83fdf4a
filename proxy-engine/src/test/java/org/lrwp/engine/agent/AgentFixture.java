package org.lrwp.engine.agent;

import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.testkit.FakeTransport;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.network.Network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An agent on a transport in memory. */
final class AgentFixture {
    static final Duration REGISTRATION_TIME = Duration.ofSeconds(5);
    static final Duration SETTLE = Duration.ofMillis(50);
    static final String KEY = "s3cret";
    static final String CONNECTION_KEY = "connection key";

    private final TestEngine engine = new TestEngine();
    private final FakeTransport transport = new FakeTransport(engine.loop());
    private final ContextAssistantManager contexts;
    private final LrwpAgent agent;

    /** An agent for peers of loopback and 10.0.0.0/8. */
    private final List<AuditEvent> audit = new ArrayList<>();

    AgentFixture(int maxPeers, int maxPeersPerAddress, Set<String> allowed) {
        var defaults = new ContextConfigs(TestEngine.contextConfig(false), Map.of());
        contexts = new ContextAssistantManager(defaults, engine.time(), engine.time());
        var config =
                new AgentConfig(
                        InetAddress.getLoopbackAddress(),
                        0,
                        List.of(Network.parse("127.0.0.0/8"), Network.parse("10.0.0.0/8")),
                        REGISTRATION_TIME,
                        SETTLE,
                        maxPeers,
                        maxPeersPerAddress,
                        allowed,
                        Map.of("/safe", new Secret(KEY.getBytes(StandardCharsets.ISO_8859_1))),
                        new Secret(CONNECTION_KEY.getBytes(StandardCharsets.ISO_8859_1)),
                        TestEngine.lrwp3Config());
        try {
            agent =
                    LrwpAgent.start(
                            config, contexts, engine.time(), engine.time(), transport, audit::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was taken down. */
    List<AuditEvent> audit() {
        return audit;
    }

    AgentFixture() {
        this(100, 100, Set.of());
    }

    TestEngine engine() {
        return engine;
    }

    FakeTransport transport() {
        return transport;
    }

    ContextAssistantManager contexts() {
        return contexts;
    }

    LrwpAgent agent() {
        return agent;
    }

    FakeLink dial() {
        return transport.dial("127.0.0.1");
    }

    FakeLink dial(String address, String hello) {
        FakeLink link = transport.dial(address);
        link.arrives(hello);
        return link;
    }

    /** Names of the connections that are registered. */
    int peers() {
        return contexts.peers().size();
    }
}
