package org.lrwp.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.Secret;
import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.testkit.TestEngine;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Who is let in, and how many. */
class LrwpAgentTest {
    private static final String HELLO = "osp\u00ff\u00ff";
    private static final String HELLO_2 = "\u00ff2.0\u00ffosp\u00ff\u00ff";

    @Test
    void connectionsFromOtherNetworksAreClosedBeforeTheySayAnything() {
        var agent = new AgentFixture();
        assertEquals("OK", agent.dial("10.9.8.7", HELLO).received());
        for (String elsewhere : new String[] {"192.0.2.1", "::1"}) {
            FakeLink link = agent.transport().dial(elsewhere);
            assertTrue(link.isClosed());
            assertEquals("", link.received());
        }
        assertEquals(1, agent.peers());
    }

    @Test
    void whoRegistersAndWhoIsRefusedIsTakenDown() {
        var agent = new AgentFixture(100, 100, Set.of("/osp"));
        agent.dial("10.9.8.7", HELLO);
        agent.dial("10.9.8.7", "other\u00ff\u00ff");
        agent.dial("10.9.8.7", "").ends();

        List<String> taken =
                agent.audit().stream()
                        .map(
                                event ->
                                        String.join(
                                                " ",
                                                event.word(),
                                                event.actor().identity(),
                                                event.actor().address().replaceAll(":.*", ""),
                                                event.subject(),
                                                event.detail()))
                        .toList();
        assertEquals(
                List.of(
                        "registered anonymous 10.9.8.7 /osp version=1.0",
                        "refused anonymous 10.9.8.7 /other ERROR: Application not permitted"),
                taken);
    }

    @Test
    void silentConnectionsFromOtherNetworksKeepNobodyOut() {
        var agent = new AgentFixture(5, 5, Set.of());
        for (int i = 0; i < 6; i++) {
            agent.transport().dial("192.0.2.1");
        }
        assertEquals("OK", agent.dial("127.0.0.1", HELLO).received());
    }

    @Test
    void peersAboveTheLimitAreClosedUntilOneLeaves() {
        var agent = new AgentFixture(2, 2, Set.of());
        FakeLink first = agent.dial("127.0.0.1", HELLO);
        agent.dial("10.0.0.1", HELLO);
        FakeLink third = agent.transport().dial("10.0.0.2");
        assertTrue(third.isClosed());
        assertEquals("", third.received());
        first.ends();
        assertEquals("OK", agent.dial("10.0.0.4", HELLO).received());
        assertEquals(2, agent.peers());
    }

    @Test
    void peersOfOneAddressAreLimitedOfTheirOwn() {
        var agent = new AgentFixture(100, 2, Set.of());
        FakeLink first = agent.dial("10.0.0.1", HELLO);
        agent.dial("10.0.0.1", HELLO);
        assertTrue(agent.transport().dial("10.0.0.1").isClosed());
        assertEquals("OK", agent.dial("10.0.0.2", HELLO).received());
        first.ends();
        assertEquals("OK", agent.dial("10.0.0.1", HELLO).received());
    }

    @Test
    void thoseThatRegisterTogetherAreRefusedAboveTheLimit() {
        var agent = new AgentFixture(1, 10, Set.of());
        FakeLink first = agent.dial();
        FakeLink second = agent.dial();
        first.arrives(HELLO);
        second.arrives(HELLO_2);
        assertEquals("OK", first.received());
        assertEquals("REJECTED\u00ffERROR: Out of resources\u00ff", second.received());
        assertEquals(1, agent.peers());
    }

    @Test
    void connectionsThatDoNotRegisterDoNotCountAsPeers() {
        var agent = new AgentFixture(3, 3, Set.of());
        for (int i = 0; i < 10; i++) {
            agent.dial();
        }
        assertEquals("OK", agent.dial("127.0.0.1", HELLO).received());
    }

    @Test
    void theOneThatHasBeenSilentLongestMakesWayForANewcomer() {
        var agent = new AgentFixture(100, 100, Set.of());
        List<FakeLink> links = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            links.add(agent.dial());
        }
        links.getFirst().arrives("o");
        FakeLink newcomer = agent.dial();
        agent.engine().loop().run();

        assertFalse(links.get(0).isClosed());
        assertTrue(links.get(1).isClosed());
        assertEquals("", links.get(1).received());
        newcomer.arrives(HELLO);
        assertEquals("OK", newcomer.received());
        links.getFirst().arrives("sp\u00ff\u00ff");
        assertEquals("OK", links.getFirst().received());
        // Two have registered: there is room again.
        agent.dial();
        agent.dial();
        agent.engine().loop().run();
        assertFalse(links.get(2).isClosed());
    }

    @Test
    void aFloodFromOneAddressMakesWayForOthersAlone() {
        var agent = new AgentFixture(100, 100, Set.of());
        FakeLink slow = agent.transport().dial("10.0.0.1");
        for (int i = 0; i < 100; i++) {
            agent.transport().dial("10.0.0.2").arrives("o");
            agent.engine().loop().run();
        }
        assertFalse(slow.isClosed());
        slow.arrives(HELLO);
        assertEquals("OK", slow.received());
    }

    @Test
    void countsReturnToZeroHoweverPeersLeave() {
        var agent = new AgentFixture(3, 3, Set.of());
        for (int round = 0; round < 20; round++) {
            FakeLink silent = agent.dial();
            silent.ends();
            FakeLink refused = agent.dial("127.0.0.1", "-\u00ff\u00ff");
            // The end of the linger time and the peer's end come at the same moment.
            agent.engine().time().advance(Duration.ofSeconds(1));
            refused.ends();
            agent.engine().loop().run();
            FakeLink served = agent.dial("127.0.0.1", HELLO);
            served.arrives("\u00ff");
            served.arrives("junk");
            FakeLink broken = agent.dial();
            broken.breaks();
            FakeLink late = agent.dial();
            agent.engine().pass(AgentFixture.REGISTRATION_TIME);
            agent.engine().pass(Duration.ofSeconds(1));
            assertTrue(late.isClosed());
        }
        assertEquals("OK", agent.dial("127.0.0.1", HELLO).received());
        assertEquals("OK", agent.dial("127.0.0.1", HELLO).received());
        assertEquals("OK", agent.dial("127.0.0.1", HELLO).received());
        assertTrue(agent.dial().isClosed());
    }

    @Test
    void closingStopsListeningAndKeepsPeers() {
        var agent = new AgentFixture();
        FakeLink link = agent.dial("127.0.0.1", HELLO);
        assertEquals(0, agent.agent().address().getPort());
        agent.agent().close();
        agent.agent().close();
        assertFalse(agent.transport().isListening());
        assertFalse(link.isClosed());
        assertEquals(1, agent.peers());
    }

    @Test
    void aPeerThatCannotBeAcknowledgedIsDropped() {
        var agent = new AgentFixture();
        FakeLink link = agent.dial();
        link.failsToWrite();
        link.arrives(HELLO);
        agent.engine().loop().run();
        assertTrue(link.isClosed());
        assertEquals(0, agent.peers());
    }

    @Test
    void secretsAreNeverPrinted() {
        var secret = new Secret(new byte[] {1, 2});
        assertEquals("***", secret.toString());
        assertEquals(secret, new Secret(new byte[] {1, 2}));
        assertEquals(secret.hashCode(), new Secret(new byte[] {1, 2}).hashCode());
        assertNotEquals(secret, new Secret(new byte[] {1, 3}));
        assertNotEquals(secret, (Object) "***");
        assertThrows(IllegalArgumentException.class, () -> new Secret(new byte[0]));
    }

    @Test
    void limitsAreChecked() {
        for (int[] bad :
                new int[][] {
                    {-1, 1, 1, 1}, {65_536, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}
                }) {
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            new AgentConfig(
                                    InetAddress.getLoopbackAddress(),
                                    bad[0],
                                    List.of(),
                                    Duration.ofSeconds(bad[3]),
                                    Duration.ZERO,
                                    AgentFixture.limits(bad[1], bad[2]),
                                    AccessPolicy.OPEN,
                                    TestEngine.lrwp3Config()));
        }
    }
}
