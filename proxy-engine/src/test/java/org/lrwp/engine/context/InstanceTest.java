package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.DrainedPeers;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.OpenRegistrar;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Where a request goes whose process was lost after it may have been started. */
class InstanceTest {
    private static final Duration DELAY = Duration.ofMillis(200);
    private static final List<String> NOTHING = List.of();

    private final TestEngine engine = new TestEngine();
    private final ContextAssistantManager manager =
            new ContextAssistantManager(
                    new ContextConfigs(TestEngine.contextConfig(false), Map.of()),
                    engine.time(),
                    engine.time());
    private final RecordingClient client = new RecordingClient();
    private int peers;

    private MultiplexedPeer joins(String identity, String instance) {
        MultiplexedPeer peer =
                MultiplexedPeer.aPeer(
                        engine, manager, new OpenRegistrar(manager, identity), ++peers);
        manager.admit(peer.connection());
        peer.connection().start();
        peer.greets(
                new PeerSettings(
                        "p", 1, 65_536, 65_536, true, false, true, UpgradeNames.NONE, instance));
        peer.frames();
        return peer;
    }

    private MultiplexedPeer joins(String instance) {
        return joins("billing", instance);
    }

    private Exchange ask(String method) {
        ContextMatch match = manager.match("", "/osp");
        assertNotNull(match);
        Exchange exchange = engine.submit(method, "", match.assistant(), client);
        engine.loop().run();
        return exchange;
    }

    private static int requests(MultiplexedPeer peer) {
        return peer.frames().size();
    }

    @Test
    void drainedProcessGetsNothingByAnyConnectionUntilItIsResumed() {
        MultiplexedPeer out = joins("a");
        MultiplexedPeer other = joins("b");
        assertEquals(1, manager.drainPeers("a"));
        MultiplexedPeer late = joins("a");
        Exchange first = ask("GET");
        Exchange second = ask("GET");

        assertEquals(1, requests(other));
        assertEquals(NOTHING, out.frames());
        assertEquals(NOTHING, late.frames());
        assertEquals(ExchangeState.SENT, first.state());
        assertEquals(ExchangeState.QUEUED, second.state());
        assertEquals(List.of("a"), manager.drainedPeers());

        assertEquals(2, manager.resumePeers("a"));
        engine.loop().run();
        assertEquals(1, requests(out) + requests(late));
        assertEquals(-1, manager.resumePeers("a"));
        assertEquals(List.of(), manager.drainedPeers());
    }

    @Test
    void identityAndConnectionAreNamesToo() {
        MultiplexedPeer out = joins("billing", "a");
        MultiplexedPeer here = joins("shop", "a");
        MultiplexedPeer other = joins("shop", "b");

        assertEquals(1, manager.drainPeers("billing"));
        assertEquals(1, manager.drainPeers(here.connection().peerName()));
        assertEquals(2, manager.drainPeers("a"));
        assertEquals(2, manager.resumePeers("a"));
        ask("GET");
        ask("GET");

        assertEquals(NOTHING, out.frames());
        assertEquals(NOTHING, here.frames());
        assertEquals(1, requests(other));
    }

    @Test
    void onlySoManyNamesAreDrained() {
        for (int i = 0; i < DrainedPeers.MOST; i++) {
            assertEquals(0, manager.drainPeers("n" + i));
        }
        assertEquals(-1, manager.drainPeers("more"));
        assertEquals(0, manager.drainPeers("n0"));
        assertEquals(0, manager.resumePeers("n0"));
        assertEquals(-1, manager.drainPeers(""));
    }

    /** The request has been started at a peer, and its connection is reset. */
    private void starts(MultiplexedPeer peer) {
        assertEquals(1, peer.frames().size());
        peer.sends(FrameType.STARTED, 1, "");
    }

    private void dies(MultiplexedPeer peer) {
        peer.link().breaks();
        engine.loop().run();
    }

    @Test
    void startedRequestGoesToAnotherInstanceAtOnce() {
        MultiplexedPeer dead = joins("a");
        ask("GET");
        starts(dead);
        MultiplexedPeer twin = joins("a");
        MultiplexedPeer other = joins("b");

        dies(dead);

        assertEquals(NOTHING, twin.frames());
        assertEquals(1, other.frames().size());
    }

    @Test
    void startedRequestWaitsForAnotherInstanceThatIsBusy() {
        MultiplexedPeer dead = joins("a");
        ask("GET");
        starts(dead);
        MultiplexedPeer other = joins("b");
        ask("GET");
        assertEquals(1, other.frames().size());
        MultiplexedPeer twin = joins("a");

        dies(dead);
        engine.pass(Duration.ofSeconds(1));
        assertEquals(NOTHING, twin.frames());

        other.answers(1, "done");
        assertEquals(1, other.frames().size());
    }

    @Test
    void startedRequestGoesBackToItsInstanceAfterADelayWhenNoOtherServesTheContext() {
        MultiplexedPeer dead = joins("a");
        Exchange exchange = ask("GET");
        starts(dead);
        MultiplexedPeer twin = joins("a");

        dies(dead);
        engine.pass(DELAY.minusNanos(1));
        assertEquals(NOTHING, twin.frames());
        assertEquals(ExchangeState.QUEUED, exchange.state());

        engine.pass(Duration.ofNanos(1));
        assertEquals(1, twin.frames().size());
    }

    @Test
    void startedRequestOutlivesAllConnectionsOfADeadProcess() {
        MultiplexedPeer dead = joins("a");
        Exchange exchange = ask("GET");
        starts(dead);
        MultiplexedPeer twin = joins("a");

        dies(dead);
        dies(twin);
        engine.pass(DELAY);
        assertEquals(ExchangeState.QUEUED, exchange.state());

        assertEquals(1, joinsAndGets("b").size());
    }

    private List<String> joinsAndGets(String instance) {
        MultiplexedPeer peer =
                MultiplexedPeer.aPeer(
                        engine, manager, new OpenRegistrar(manager, "billing"), ++peers);
        manager.admit(peer.connection());
        peer.connection().start();
        peer.frames();
        peer.greets(
                new PeerSettings(
                        "p", 1, 65_536, 65_536, true, false, true, UpgradeNames.NONE, instance));
        return peer.frames();
    }

    @Test
    void startedRequestGoesBackWhenTheLastOtherInstanceLeaves() {
        MultiplexedPeer dead = joins("a");
        ask("GET");
        starts(dead);
        MultiplexedPeer other = joins("b");
        ask("POST");
        assertEquals(1, other.frames().size());
        other.sends(FrameType.STARTED, 1, "");
        MultiplexedPeer twin = joins("a");
        dies(dead);
        engine.pass(DELAY);
        assertEquals(NOTHING, twin.frames());

        dies(other);
        assertEquals(Failure.PEER_GONE, client.failure());
        assertEquals(1, twin.frames().size());
    }

    @Test
    void requestThatWasNotStartedDoesNotWait() {
        MultiplexedPeer gone = joins("a");
        ask("POST");
        assertEquals(1, gone.frames().size());
        MultiplexedPeer twin = joins("a");

        gone.link().ends();
        engine.loop().run();

        assertEquals(1, twin.frames().size());
    }

    @Test
    void connectionsWithoutInstanceAndThoseOfOtherIdentitiesAreOthers() {
        MultiplexedPeer dead = joins("");
        ask("GET");
        starts(dead);
        MultiplexedPeer nameless = joins("");
        dies(dead);
        assertEquals(1, nameless.frames().size());
        nameless.answers(1, "done");

        MultiplexedPeer again = joins("a");
        nameless.link().ends();
        engine.loop().run();
        ask("GET");
        starts(again);
        MultiplexedPeer namesake = joins("shipping", "a");
        dies(again);
        assertEquals(1, namesake.frames().size());
    }
}
