package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.OpenRegistrar;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.PeerSettings;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Peers get requests by their weights. */
class WeighingTest {
    private static final List<String> NOTHING = List.of();

    private final TestEngine engine = new TestEngine();
    private final ContextAssistantManager manager =
            new ContextAssistantManager(contexts(), engine.time(), engine.time());
    private int peers;

    private static ContextConfigs contexts() {
        ContextConfig usual = TestEngine.contextConfig(false);
        var sticky = new StickyConfig(true, Duration.ofSeconds(3), WeighingTest::backwards);
        return new ContextConfigs(
                new ContextConfig(
                        usual.exchange(),
                        usual.peer(),
                        usual.queueLength(),
                        usual.grace(),
                        usual.health(),
                        sticky,
                        false),
                Map.of());
    }

    /** Another one for each name, which stands at the end. */
    private static byte[] backwards(String text) {
        return new StringBuilder(text).reverse().toString().getBytes(StandardCharsets.UTF_8);
    }

    private MultiplexedPeer joins(int capacity, int weight) {
        MultiplexedPeer peer =
                MultiplexedPeer.aPeer(engine, manager, new OpenRegistrar(manager, "shop"), ++peers);
        peer.connection().weight().ofIdentity(weight);
        manager.admit(peer.connection());
        peer.connection().start();
        peer.greets(
                new PeerSettings(
                        "p",
                        capacity,
                        65_536,
                        65_536,
                        true,
                        false,
                        true,
                        UpgradeNames.NONE,
                        "i" + peers));
        peer.frames();
        return peer;
    }

    private ContextAssistant context() {
        ContextMatch match = manager.match("", "/osp");
        assertNotNull(match);
        return match.assistant();
    }

    private Exchange ask() {
        return engine.comeBack("", context(), new RecordingClient());
    }

    /** The peer answers all that it has got; how many. */
    private static int answers(MultiplexedPeer peer) {
        int count = peer.frames().size();
        for (int stream = 1; stream <= count; stream++) {
            peer.answers(stream, "x");
        }
        return count;
    }

    private void drains(MultiplexedPeer peer, boolean drained) {
        peer.connection().weight().drain(drained);
        manager.weighed(peer.connection());
    }

    private void assertSharedAlike(MultiplexedPeer one, MultiplexedPeer other) {
        int ones = 0;
        int others = 0;
        for (int i = 0; i < 20; i++) {
            ask();
            ones += answers(one);
            others += answers(other);
        }
        assertTrue(Math.abs(ones - others) <= 2, ones + " to " + others);
    }

    @Test
    void requestsOneAfterTheOtherAreSharedByWeight() {
        MultiplexedPeer light = joins(10, 100);
        MultiplexedPeer heavy = joins(10, 300);
        int lights = 0;
        int heavies = 0;
        for (int i = 0; i < 40; i++) {
            ask();
            lights += answers(light);
            heavies += answers(heavy);
        }
        assertEquals(10, lights);
        assertEquals(30, heavies);
    }

    @Test
    void peerThatWasDrainedDoesNotMakeUpForWhatItMissed() {
        MultiplexedPeer back = joins(10, 200);
        MultiplexedPeer other = joins(10, 200);
        drains(back, true);
        for (int i = 0; i < 40; i++) {
            ask();
            assertEquals(1, answers(other));
        }
        drains(back, false);
        assertSharedAlike(back, other);
    }

    @Test
    void peerThatServedWhoCameBackWhileItWasDrainedDoesNotPayForThat() {
        MultiplexedPeer back = joins(10, 200);
        var client = new RecordingClient();
        engine.comeBack("", context(), client);
        assertEquals(1, answers(back));
        MultiplexedPeer other = joins(10, 200);
        drains(back, true);
        for (int i = 0; i < 40; i++) {
            engine.comeBack(client.tag(), context(), new RecordingClient());
            assertEquals(1, answers(back));
        }
        drains(back, false);
        assertSharedAlike(back, other);
    }

    @Test
    void peerThatGotLessThanItsShareWhileItWasBusyMakesUpForIt() {
        MultiplexedPeer busy = joins(10, 200);
        MultiplexedPeer other = joins(10, 200);
        ask();
        assertEquals(1, busy.frames().size());
        for (int i = 0; i < 5; i++) {
            ask();
            assertEquals(1, answers(other));
        }
        busy.answers(1, "x");
        for (int i = 0; i < 4; i++) {
            ask();
            assertEquals(1, answers(busy));
        }
    }

    @Test
    void requestsInFlightAreSharedByWeightAndCapacity() {
        MultiplexedPeer light = joins(20, 100);
        MultiplexedPeer heavy = joins(20, 200);
        MultiplexedPeer small = joins(10, 200);
        for (int i = 0; i < 20; i++) {
            ask();
        }
        assertEquals(5, light.frames().size());
        assertEquals(10, heavy.frames().size());
        assertEquals(5, small.frames().size());
    }

    @Test
    void whenTheHeavyOneIsFullTheOtherGetsTheRest() {
        MultiplexedPeer light = joins(10, 1);
        MultiplexedPeer heavy = joins(10, 1000);
        for (int i = 0; i < 15; i++) {
            ask();
        }
        assertEquals(10, heavy.frames().size());
        assertEquals(5, light.frames().size());
    }

    @Test
    void peerWithoutWeightGetsNothingButWhoComesBackToIt() {
        MultiplexedPeer out = joins(2, 100);
        var client = new RecordingClient();
        engine.comeBack("", context(), client);
        assertEquals(1, answers(out));
        MultiplexedPeer other = joins(1, 100);

        out.connection().weight().order(0);
        manager.weighed(out.connection());

        ask();
        assertEquals(1, other.frames().size());
        Exchange waits = ask();
        assertEquals(ExchangeState.QUEUED, waits.state());
        assertEquals(NOTHING, out.frames());
        Exchange back = engine.comeBack(client.tag(), context(), new RecordingClient());
        assertEquals(ExchangeState.SENT, back.state());
        assertEquals(1, out.frames().size());

        out.connection().weight().order(100);
        manager.weighed(out.connection());
        assertEquals(ExchangeState.SENT, waits.state());
    }

    @Test
    void capHoldsAtOnceAndIsLifted() {
        MultiplexedPeer peer = joins(10, 100);
        peer.connection().cap(2);
        engine.loop().run();
        assertEquals(2, peer.connection().capacity());
        peer.connection().cap(100);
        engine.loop().run();
        assertEquals(10, peer.connection().capacity());
    }
}
