package org.lrwp.engine.agent;

import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.LeastVersion;
import org.lrwp.engine.identity.Secret;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.testkit.FakeTransport;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.time.EngineTime;
import org.lrwp.engine.transport.LinkSecurity;
import org.lrwp.protocol.network.Network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An agent on a transport in memory. */
final class AgentFixture {
    static final Duration REGISTRATION_TIME = Duration.ofSeconds(5);
    static final Duration SETTLE = Duration.ofMillis(50);
    static final Instant TODAY = Instant.parse("2026-11-24T00:00:00Z");
    static final String KEY = "s3cret";
    static final String CONNECTION_KEY = "connection key";

    private final TestEngine engine = new TestEngine();
    private final FakeTransport transport = new FakeTransport(engine.loop());
    private final ContextAssistantManager contexts;
    private final LrwpAgent agent;

    private final List<AuditEvent> audit = new ArrayList<>();

    /** Peers without identity, one context with a secret, and a secret of connections. */
    static AccessPolicy open(Set<String> allowed) {
        return new AccessPolicy(
                false,
                LeastVersion.LRWP_1_0,
                allowed,
                Map.of("/safe", new Secret(KEY.getBytes(StandardCharsets.ISO_8859_1))),
                new Secret(CONNECTION_KEY.getBytes(StandardCharsets.ISO_8859_1)),
                List.of(),
                Map.of());
    }

    static PeerLimits limits(int maxPeers, int maxPeersPerAddress) {
        return new PeerLimits(maxPeers, maxPeersPerAddress, 20, 10, 50, 10_000, 0);
    }

    AgentFixture(int maxPeers, int maxPeersPerAddress, Set<String> allowed) {
        this(limits(maxPeers, maxPeersPerAddress), open(allowed));
    }

    /** An agent for peers of loopback and 10.0.0.0/8. */
    AgentFixture(PeerLimits limits, AccessPolicy access) {
        var defaults = new ContextConfigs(TestEngine.contextConfig(false), Map.of());
        contexts = new ContextAssistantManager(defaults, engine.time(), engine.time());
        var config =
                new AgentConfig(
                        InetAddress.getLoopbackAddress(),
                        0,
                        List.of(Network.parse("127.0.0.0/8"), Network.parse("10.0.0.0/8")),
                        REGISTRATION_TIME,
                        SETTLE,
                        limits,
                        access,
                        TestEngine.lrwp3Config());
        long start = engine.time().nanos();
        try {
            agent =
                    LrwpAgent.start(
                            config,
                            contexts,
                            new EngineTime(
                                    engine.time(),
                                    () -> TODAY.plusNanos(engine.time().nanos() - start),
                                    engine.time()),
                            transport,
                            audit::add);
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

    /** Inside TLS. */
    FakeLink dial(LinkSecurity security, String hello) {
        FakeLink link = dial();
        link.isSecure(security);
        link.arrives(hello);
        return link;
    }

    /** Names of the connections that are registered. */
    int peers() {
        return status().size();
    }

    /** The connections that are registered, for the status page. */
    List<PeerStatus> status() {
        return contexts.peers(agent::status);
    }
}
