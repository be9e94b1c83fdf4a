package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.time.Duration;
import java.util.List;
import java.util.Map;

class ContextAssistantManagerTest {
    private final TestEngine engine = new TestEngine();
    private final ContextAssistantManager manager =
            new ContextAssistantManager(
                    new ContextConfigs(
                            TestEngine.contextConfig(false),
                            Map.of(
                                    "/named", TestEngine.contextConfig(true),
                                    "/limited", TestEngine.contextConfig(false))),
                    engine.time(),
                    engine.time());
    private int peers;

    private static Registration registration(String name, String host) {
        return new Registration(ProtocolVersion.LRWP_2, name, host);
    }

    private PeerFixture joins(String name, String host) {
        PeerFixture peer = PeerFixture.aPeer(engine, manager, TestEngine.peerConfig(), ++peers);
        manager.admit(peer.connection());
        manager.register(peer.connection(), ServedContext.of(registration(name, host)), "test");
        return peer.settled();
    }

    private ContextAssistant found(String host, String path) {
        ContextMatch match = manager.match(host, path);
        assertNotNull(match);
        return match.assistant();
    }

    @Test
    void onlyNamedContextsAreKnownAtFirst() {
        assertNotNull(manager.match("", "/named"));
        assertNull(manager.match("", "/limited"));
        assertEquals(List.of("/named"), names());
    }

    private List<String> names() {
        return manager.contexts().stream().map(one -> one.context() + one.virtualHost()).toList();
    }

    @Test
    void peersOfOneContextShareIt() {
        joins("osp", "");
        joins("osp", "");
        joins("osp", "a.test");
        joins(".ext", "");
        joins("", "");
        assertEquals(List.of(".ext", "/", "/named", "/osp", "/ospa.test"), names());
        assertEquals(2, found("", "/osp").status().connections());
        assertEquals(1, found("a.test", "/osp").status().slots());
    }

    /** When each one cost as much as all before it, this took minutes. */
    @Test
    @Timeout(20)
    void manyContextsOfOneConnectionCostNoMoreThanTheirNumber() {
        int many = 50_000;
        PeerFixture peer = joins("c0", "");
        for (int i = 1; i < many; i++) {
            manager.register(peer.connection(), new ServedContext("/c" + i, ""), "test");
            manager.slotFree(peer.connection());
        }
        assertEquals(1, found("", "/c" + (many - 1) + "/x").status().connections());
        assertEquals(many + 1, manager.contexts().size());

        manager.gone(peer.connection());
        engine.pass(Duration.ofMillis(1));
        assertEquals(0, served());
    }

    /** How many contexts have a peer. */
    private long served() {
        return manager.contexts().stream().filter(one -> one.connections() > 0).count();
    }

    @Test
    void aConnectionLeavesAFewContextsAtATimeSoThatRequestsDoNotWaitForAll() {
        PeerFixture peer = joins("c0", "");
        for (int i = 1; i < 200; i++) {
            manager.register(peer.connection(), new ServedContext("/c" + i, ""), "test");
        }
        manager.leaving(peer.connection());
        assertEquals(200 - 64, served());
        engine.pass(Duration.ofMillis(1));
        assertEquals(0, served());
    }

    @Test
    void virtualHostsAreComparedInLowerCase() {
        joins("osp", "A.Test");
        assertNotNull(manager.match("a.test", "/osp"));
        assertNull(manager.match("b.test", "/osp"));
    }

    @Test
    void aNamedContextOfAVirtualHostGoesWithItsPeers() {
        PeerFixture peer = joins("named", "a.test");
        assertEquals("a.test", found("a.test", "/named").virtualHost());
        peer.link().ends();
        engine.pass(TestEngine.GRACE);
        assertEquals("", found("a.test", "/named").virtualHost());
        assertEquals(List.of("/named"), names());
    }

    @Test
    void aContextHasItsOwnLimits() {
        assertEquals(TestEngine.contextConfig(true), manager.config("/named"));
        assertEquals(TestEngine.contextConfig(false), manager.config("/x"));
    }

    @Test
    void aPeerThatJoinsAContextThatHasJustGoneMakesItAnew() {
        PeerFixture peer = joins("osp", "");
        ContextAssistant old = found("", "/osp");
        peer.link().ends();
        engine.pass(TestEngine.GRACE);
        joins("osp", "");
        assertEquals(1, found("", "/osp").status().connections());
        assertEquals(0, old.status().connections());
    }

    @Test
    void oneContextsOutageDoesNotTouchAnother() {
        PeerFixture dead = joins("a", "");
        PeerFixture alive = joins("b", "");
        dead.link().ends();
        var waiting = new RecordingClient();
        engine.submit("GET", "", found("", "/a"), waiting);
        var served = new RecordingClient();
        var exchange = engine.submit("GET", "", found("", "/b"), served);
        engine.loop().run();
        alive.link().arrives(TestEngine.answer("x"));
        assertEquals("x", served.read());
        exchange.delivered();
        assertEquals(1, manager.waiting());
    }

    @Test
    void closingAllConnectionsLeavesNone() {
        PeerFixture peer = joins("a", "");
        PeerFixture other = joins("b", "");
        assertEquals(
                List.of("127.0.0.1:40001", "127.0.0.1:40002"),
                manager.peers(PeerConnection::status).stream().map(PeerStatus::name).toList());
        assertEquals("idle", manager.peers(PeerConnection::status).getFirst().state());
        manager.closeConnections("test");
        engine.loop().run();
        assertTrue(peer.link().isClosed());
        assertTrue(other.link().isClosed());
        assertEquals(List.of(), manager.peers(PeerConnection::status));
    }

    @Test
    void aConnectionThatIsNotKnownFindsNoWork() {
        PeerFixture stranger = PeerFixture.aPeer(engine, manager);
        stranger.settled();
        manager.slotFree(stranger.connection());
        manager.gone(stranger.connection());
        assertEquals("idle", stranger.state());
    }
}
