package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.OpenRegistrar;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Clients come back to the process that has answered them, while it is there. */
class StickyTest {
    private static final Duration WAIT = Duration.ofSeconds(3);
    private static final List<String> NOTHING = List.of();
    private static final StickyConfig ON = new StickyConfig(true, WAIT, keyed(0));

    private final TestEngine engine = new TestEngine();
    private ContextAssistantManager manager;
    private int peers;

    /** A hash that a key changes. */
    private static StickyConfig.Hash keyed(int key) {
        return text -> {
            try {
                return MessageDigest.getInstance("SHA-256")
                        .digest((key + text).getBytes(StandardCharsets.UTF_8));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static ContextConfigs contexts(StickyConfig sticky, HealthConfig health) {
        ContextConfig usual = TestEngine.contextConfig(false);
        return new ContextConfigs(
                new ContextConfig(
                        usual.exchange(),
                        usual.peer(),
                        usual.queueLength(),
                        usual.grace(),
                        health,
                        sticky,
                        false),
                Map.of());
    }

    @BeforeEach
    void contextIsSticky() {
        manager = newManager(ON);
    }

    private ContextAssistantManager newManager(StickyConfig sticky) {
        return new ContextAssistantManager(
                contexts(sticky, HealthConfig.OFF), engine.time(), engine.time());
    }

    private MultiplexedPeer joins(String instance) {
        return joins(instance, 1);
    }

    private MultiplexedPeer joins(String instance, int capacity) {
        MultiplexedPeer peer =
                MultiplexedPeer.aPeer(engine, manager, new OpenRegistrar(manager, "shop"), ++peers);
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
                        UpgradeNames.of("websocket"),
                        instance));
        peer.frames();
        return peer;
    }

    private ContextAssistant context() {
        ContextMatch match = manager.match("", "/osp");
        assertNotNull(match);
        return match.assistant();
    }

    /** A client and what becomes of its request. */
    private record Asked(Exchange exchange, RecordingClient client) {}

    private Asked ask(String tag) {
        var client = new RecordingClient();
        return new Asked(engine.comeBack(tag, context(), client), client);
    }

    /** The peer answers all that it has got; how many. */
    private static int answers(MultiplexedPeer peer) {
        int count = peer.frames().size();
        for (int stream = 1; stream <= count; stream++) {
            peer.answers(stream, "x");
        }
        return count;
    }

    /** The tag of a peer that is the only one with a free slot. */
    private String tagFrom(MultiplexedPeer peer) {
        Asked asked = ask("");
        assertEquals(1, answers(peer));
        return asked.client().tag();
    }

    private long counted(String place) {
        return context().status().sticky().getOrDefault(place, -1L);
    }

    @Test
    void clientComesBackToItsProcessOnAnyOfItsConnections() {
        MultiplexedPeer first = joins("a");
        String tag = tagFrom(first);
        MultiplexedPeer other = joins("b", 8);
        MultiplexedPeer twin = joins("a");

        Asked one = ask(tag);
        Asked two = ask(tag);
        assertEquals(1, answers(first));
        assertEquals(1, answers(twin));
        assertEquals(NOTHING, other.frames());
        assertEquals("", one.client().tag(), "it has the right one");
        assertEquals("", two.client().tag());
        assertEquals(2, counted("home"));
        assertEquals(1, counted("new"));
    }

    @Test
    void tagTellsNeitherNameNorIsItThatOfAnotherContextOrKey() {
        String tag = tagFrom(joins("pod-7"));
        assertEquals(22, tag.length());
        assertFalse(tag.contains("pod"), tag);

        var maker = new StickyTags("/osp", "");
        Object process = new org.lrwp.engine.peer.PeerInstance("shop", "pod-7");
        StickyConfig.Hash key = keyed(0);
        assertEquals(tag, maker.of(process, key), "the same after a restart");
        assertNotEquals(tag, new StickyTags("/other", "").of(process, key));
        assertNotEquals(tag, new StickyTags("/osp", "a.example").of(process, key));
        assertNotEquals(tag, maker.of(process, keyed(1)));
    }

    @Test
    void unknownTagIsNoneAndItsClientGetsANewOne() {
        MultiplexedPeer peer = joins("a");
        Asked asked = ask("AAAAAAAAAAAAAAAAAAAAAA");
        assertEquals(1, answers(peer));
        assertEquals(22, asked.client().tag().length());
        assertTrue(context().knowsTag(asked.client().tag()));
        assertEquals(1, counted("moved"));
    }

    @Test
    void requestWaitsForItsBusyProcessWhileOthersAreServed() {
        MultiplexedPeer home = joins("a");
        String tag = tagFrom(home);
        ask(tag);
        MultiplexedPeer other = joins("b");

        Asked waits = ask(tag);
        assertEquals(ExchangeState.QUEUED, waits.exchange().state());
        ask("");
        assertEquals(1, answers(other), "who does not wait for a is served");

        assertEquals(1, answers(home));
        assertEquals(1, answers(home));
        assertEquals("x", waits.client().read());
        assertEquals(3, counted("home") + counted("new") - 1);
    }

    @Test
    void queueThatIsFullForOneProcessIsNotForTheOthers() {
        MultiplexedPeer home = joins("a");
        String tag = tagFrom(home);
        MultiplexedPeer other = joins("b");
        ask(tag);
        for (int i = 0; i < 3; i++) {
            assertEquals(ExchangeState.QUEUED, ask(tag).exchange().state());
        }
        assertEquals(Failure.QUEUE_FULL, ask(tag).client().failure());

        ask("");
        assertEquals(1, answers(other));
    }

    @Test
    void requestGoesElsewhereWhenItHasWaitedLongEnough() {
        MultiplexedPeer home = joins("a");
        String tag = tagFrom(home);
        ask(tag);
        MultiplexedPeer other = joins("b");
        Asked waits = ask(tag);

        engine.pass(WAIT.minusNanos(1));
        assertEquals(NOTHING, other.frames());
        engine.pass(Duration.ofNanos(1));
        assertEquals(1, answers(other));
        assertEquals(22, waits.client().tag().length(), "a new cookie");
        assertNotEquals(tag, waits.client().tag());
    }

    @Test
    void withoutWaitingItGoesElsewhereAtOnce() {
        manager.limit(contexts(new StickyConfig(true, Duration.ZERO, keyed(0)), HealthConfig.OFF));
        MultiplexedPeer home = joins("a");
        String tag = tagFrom(home);
        ask(tag);
        MultiplexedPeer other = joins("b");

        Asked asked = ask(tag);
        assertEquals(1, answers(other));
        assertNotEquals(tag, asked.client().tag());
    }

    @Test
    void processThatLeavesGivesItsClientsToOthers() {
        MultiplexedPeer home = joins("a");
        String tag = tagFrom(home);
        ask(tag);
        MultiplexedPeer other = joins("b");
        Asked waits = ask(tag);

        home.sends(FrameType.DRAIN, 0, "");

        assertEquals(1, answers(other), "what waited");
        assertNotEquals(tag, waits.client().tag());
        assertFalse(context().knowsTag(tag));
    }

    @Test
    void answerOfAProcessThatIsLeavingBindsNobodyToIt() {
        MultiplexedPeer home = joins("a");
        Asked asked = ask("");
        joins("b");
        home.sends(FrameType.DRAIN, 0, "");
        assertEquals(1, answers(home));

        assertEquals("", asked.client().tag());
    }

    @Test
    void processThatIsLeftOutForBadAnswersGivesItsClientsToOthers() {
        var health = new HealthConfig(1, Duration.ofSeconds(30), 50, Duration.ZERO);
        manager.limit(contexts(ON, health));
        MultiplexedPeer home = joins("a");
        String tag = tagFrom(home);
        ask(tag);
        MultiplexedPeer other = joins("b");
        Asked waits = ask(tag);

        home.frames();
        home.ends(FrameType.RESPONSE, 1, "Status: 500\n\n");

        assertEquals(1, answers(other));
        assertNotEquals("", waits.client().tag());
        assertEquals(NOTHING, home.frames());
    }

    @Test
    void requestThatItsProcessRefusesOrFailsGoesToAnother() {
        MultiplexedPeer home = joins("a", 2);
        String tag = tagFrom(home);
        MultiplexedPeer other = joins("b", 2);
        ask(tag);
        ask(tag);
        home.frames();

        home.sends(FrameType.REFUSED, 1, "full");
        assertEquals(1, other.frames().size());
        home.sends(FrameType.STARTED, 2, "");
        home.link().breaks();
        engine.loop().run();
        assertEquals(1, other.frames().size());
    }

    @Test
    void upgradeGoesHomeToo() {
        MultiplexedPeer home = joins("a", 4);
        String tag = tagFrom(home);
        joins("b", 4);
        for (int i = 0; i < 3; i++) {
            assertEquals(ExchangeState.SENT, ask(tag).exchange().state());
        }
        assertEquals(3, home.frames().size());
    }

    @Test
    void eachConnectionWithoutAnInstanceIsOne() {
        manager.limit(contexts(ON, HealthConfig.OFF));
        PeerFixture one = oldPeer();
        Asked first = ask("");
        one.link().arrives(TestEngine.answer("x"));
        engine.loop().run();
        String tag = first.client().tag();
        assertEquals(22, tag.length());
        PeerFixture two = oldPeer();
        first.exchange().delivered();
        engine.loop().run();

        ask(tag);
        Asked waits = ask(tag);
        assertEquals(ExchangeState.QUEUED, waits.exchange().state());

        one.link().ends();
        engine.loop().run();
        engine.pass(Duration.ofSeconds(1));
        two.link().arrives(TestEngine.answer("y"));
        engine.loop().run();
        two.link().arrives(TestEngine.answer("z"));
        engine.loop().run();
        assertTrue(waits.client().isAnswered());
    }

    private PeerFixture oldPeer() {
        PeerFixture peer = PeerFixture.aPeer(engine, manager, TestEngine.peerConfig(), ++peers);
        manager.admit(peer.connection());
        manager.register(peer.connection(), ServedContext.of(PeerFixture.registration()), "test");
        peer.settled();
        engine.loop().run();
        return peer;
    }

    @Test
    void switchedOffWhileItRunsAnyProcessGetsAnyRequest() {
        MultiplexedPeer home = joins("a");
        String tag = tagFrom(home);
        ask(tag);
        MultiplexedPeer other = joins("b");

        manager.limit(contexts(StickyConfig.OFF, HealthConfig.OFF));

        Asked asked = ask(tag);
        assertEquals(1, answers(other));
        assertEquals("", asked.client().tag());
        assertEquals(Map.of(), context().status().sticky());
    }
}
