package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
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

/** Peers that answer badly get nothing for a while, then little, and never all of them. */
class PeerHealthTest {
    private static final Duration TIME = Duration.ofSeconds(30);
    private static final Duration SLOW_START = Duration.ofSeconds(10);
    private static final HealthConfig LIMITS = new HealthConfig(3, TIME, 50, Duration.ZERO);
    private static final int CAPACITY = 20;

    private final TestEngine engine = new TestEngine();
    private final ContextAssistantManager manager =
            new ContextAssistantManager(contexts(LIMITS), engine.time(), engine.time());
    private int peers;

    private MultiplexedPeer bad;
    private MultiplexedPeer good;

    private static ContextConfigs contexts(HealthConfig health) {
        ContextConfig usual = TestEngine.contextConfig(false);
        var config =
                new ContextConfig(
                        usual.exchange(),
                        usual.peer(),
                        usual.queueLength(),
                        usual.grace(),
                        health,
                        false);
        return new ContextConfigs(config, Map.of());
    }

    @BeforeEach
    void twoPeersServeTheContext() {
        bad = joins("bad");
        good = joins("good");
    }

    private MultiplexedPeer joins(String instance) {
        MultiplexedPeer peer =
                MultiplexedPeer.aPeer(engine, manager, new OpenRegistrar(manager, "test"), ++peers);
        manager.admit(peer.connection());
        peer.connection().start();
        peer.greets(
                new PeerSettings(
                        "p",
                        CAPACITY,
                        65_536,
                        65_536,
                        true,
                        false,
                        false,
                        UpgradeNames.NONE,
                        instance));
        peer.frames();
        return peer;
    }

    private Exchange ask() {
        ContextMatch match = manager.match("", "/osp");
        assertNotNull(match);
        Exchange exchange = engine.submit("GET", "", match.assistant(), new RecordingClient());
        engine.loop().run();
        return exchange;
    }

    private ContextStatus status() {
        return manager.contexts().getFirst();
    }

    private static String name(MultiplexedPeer peer) {
        return peer.connection().peerName();
    }

    /** Requests come until a peer has had so many, and answers them with a status. */
    private void answers(MultiplexedPeer peer, int count, int status) {
        int had = 0;
        for (int i = 0; i < 10 * count && had < count; i++) {
            ask();
            had += finish(peer, status);
            finish(peer.equals(bad) ? good : bad, 200);
        }
        assertEquals(count, had, "requests of " + name(peer));
    }

    /** The peer answers what it has got; how many. */
    private static int finish(MultiplexedPeer peer, int status) {
        int count = peer.frames().size();
        for (int stream = 1; stream <= count; stream++) {
            peer.ends(FrameType.RESPONSE, stream, "Status: " + status + "\n\n");
        }
        return count;
    }

    @Test
    void peerThatAnswersBadlyInARowGetsNothingForItsTime() {
        answers(bad, 3, 500);

        assertEquals(List.of(name(bad)), status().ejected());
        assertEquals(1, status().ejections());
        for (int i = 0; i < CAPACITY; i++) {
            ask();
        }
        assertEquals(CAPACITY, good.frames().size());
        assertEquals(List.of(), bad.frames());

        engine.pass(TIME);
        assertEquals(List.of(), status().ejected());
        ask();
        assertEquals(1, bad.frames().size());
    }

    @Test
    void goodAnswerBetweenBegetsANewCount() {
        answers(bad, 2, 500);
        answers(bad, 1, 404);
        answers(bad, 2, 503);

        assertEquals(List.of(), status().ejected());
        assertEquals(0, status().ejections());
    }

    @Test
    void peerThatSaysNothingInTimeHasAnsweredBadly() {
        int had = 0;
        for (int round = 0; round < 10 && had < 3; round++) {
            ask();
            boolean there = !bad.frames().isEmpty();
            finish(good, 200);
            if (there) {
                had++;
                engine.pass(TestEngine.RESPONSE_TIME.plusSeconds(1));
                bad.sends(FrameType.CANCEL, 1, "");
                bad.frames();
            }
        }
        assertEquals(List.of(name(bad)), status().ejected());
    }

    @Test
    void allConnectionsOfAProcessAreOnePeer() {
        MultiplexedPeer twin = joins("bad");
        int had = 0;
        for (int round = 0; round < 10 && had < 3; round++) {
            ask();
            had += finish(bad, 500) + finish(twin, 500);
            finish(good, 200);
        }
        assertEquals(List.of(name(bad), name(twin)), status().ejected());
    }

    @Test
    void oneAlwaysStays() {
        answers(bad, 3, 500);
        answers(good, 5, 500);
        assertEquals(List.of(name(bad)), status().ejected());
    }

    @Test
    void oneThatIsDrainedIsNotTheOneThatStays() {
        good.connection().weight().drain(true);
        manager.weighed(good.connection());
        for (int i = 0; i < 5; i++) {
            ask();
            assertEquals(1, finish(bad, 500));
        }
        assertEquals(List.of(), status().ejected());
    }

    @Test
    void peerThatIsNeededComesBackWhenTheOthersAreDrained() {
        answers(bad, 3, 500);
        assertEquals(List.of(name(bad)), status().ejected());
        good.connection().weight().drain(true);
        manager.weighed(good.connection());

        assertEquals(List.of(), status().ejected());
        assertEquals(ExchangeState.SENT, ask().state());
        assertEquals(1, bad.frames().size());
    }

    @Test
    void peerThatIsNeededComesBackWhenTheOthersLeave() {
        answers(bad, 3, 500);
        for (int i = 0; i < CAPACITY; i++) {
            ask();
        }
        good.frames();
        Exchange waiting = ask();
        assertEquals(ExchangeState.QUEUED, waiting.state());

        good.link().breaks();
        engine.loop().run();

        assertEquals(List.of(), status().ejected());
        assertEquals(ExchangeState.SENT, waiting.state());
    }

    @Test
    void theLastPeerLeavesWithABadAnswerBookedAndItsRequestsFail() {
        good.link().breaks();
        answers(bad, 1, 500);
        Exchange open = ask();

        bad.link().breaks();
        engine.loop().run();

        assertEquals(ExchangeState.QUEUED, open.state(), "until another peer comes");
        engine.pass(TestEngine.contextConfig(false).grace());
        assertEquals(ExchangeState.FAILED, open.state());
        assertEquals(List.of(), manager.contexts());
    }

    @Test
    void theLastPeerIsDrainedWithABadAnswerBooked() {
        good.link().breaks();
        answers(bad, 1, 500);
        bad.connection().weight().drain(true);

        manager.weighed(bad.connection());
        manager.limit(contexts(new HealthConfig(1, TIME, 50, Duration.ZERO)));

        assertEquals(ExchangeState.QUEUED, ask().state());
    }

    @Test
    void withoutLimitsAllAreBackAndWhatWaitsIsSent() {
        answers(bad, 3, 500);
        for (int i = 0; i < CAPACITY; i++) {
            ask();
        }
        Exchange waiting = ask();
        assertEquals(ExchangeState.QUEUED, waiting.state());

        manager.limit(contexts(HealthConfig.OFF));

        assertEquals(ExchangeState.SENT, waiting.state());
        assertEquals(List.of(), status().ejected());
    }

    @Test
    void eachTimeTakesLongerAndAQuietTimeForgetsThem() {
        answers(bad, 3, 500);
        engine.pass(TIME);
        answers(bad, 3, 500);
        engine.pass(TIME);
        assertEquals(List.of(name(bad)), status().ejected(), "the second time is longer");
        engine.pass(TIME);
        assertEquals(List.of(), status().ejected());

        engine.pass(TIME);
        answers(bad, 1, 200);
        answers(bad, 3, 500);
        engine.pass(TIME);
        assertEquals(List.of(), status().ejected(), "the first time again");
    }

    @Test
    void slowStartGivesMoreStepByStep() {
        manager.limit(contexts(new HealthConfig(3, TIME, 50, SLOW_START)));
        answers(bad, 3, 500);
        engine.pass(TIME);

        for (int i = 0; i < CAPACITY + CAPACITY / 10 + 3; i++) {
            ask();
        }
        assertEquals(CAPACITY, good.frames().size());
        assertEquals(CAPACITY / 10, bad.frames().size(), "a tenth, while three requests wait");

        engine.pass(SLOW_START.dividedBy(10));
        assertEquals(CAPACITY / 10, bad.frames().size(), "a tenth more");
        engine.pass(SLOW_START);
        assertEquals(1, bad.frames().size(), "whoever still waits");
    }
}
