package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.TestEngine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Requests that find no free slot here, and slots beyond. */
class OverflowTest {
    private static final ServedContext OSP = new ServedContext("/osp", "");

    private final TestEngine engine = new TestEngine();
    private final ContextAssistantManager manager =
            new ContextAssistantManager(
                    new ContextConfigs(TestEngine.contextConfig(false), Map.of()),
                    engine.time(),
                    engine.time());
    private final List<RecordingClient> clients = new ArrayList<>();
    private final Beyond beyond = new Beyond();
    private int peers;

    /** Slots of peers that the contexts do not know. */
    private static final class Beyond implements Overflow {
        private final List<PeerFixture> peers = new ArrayList<>();
        private boolean takes = true;
        private int asked;

        @Override
        public boolean takes(Exchange exchange) {
            return takes;
        }

        @Override
        public @Nullable PeerSlot claim(ServedContext context) {
            assertEquals(OSP, context);
            asked++;
            for (PeerFixture peer : peers) {
                PeerSlot slot = peer.claim();
                if (slot != null) {
                    return slot;
                }
            }
            return null;
        }
    }

    @BeforeEach
    void join() {
        manager.overflow(beyond);
    }

    private PeerFixture peer() {
        return PeerFixture.aPeer(engine, manager, TestEngine.peerConfig(), ++peers);
    }

    private PeerFixture here() {
        PeerFixture peer = peer();
        manager.admit(peer.connection());
        manager.register(peer.connection(), OSP, "test");
        peer.settled();
        engine.loop().run();
        return peer;
    }

    private PeerFixture there() {
        PeerFixture peer = peer().settled();
        beyond.peers.add(peer);
        return peer;
    }

    private Exchange ask() {
        ContextMatch match = manager.match("", "/osp");
        assertNotNull(match);
        var client = new RecordingClient();
        clients.add(client);
        Exchange exchange = engine.submit("POST", "", match.assistant(), client);
        engine.loop().run();
        return exchange;
    }

    private static String peerOf(Exchange exchange) {
        return exchange.status().peer();
    }

    @Test
    void slotHereGoesFirstAndNobodyElseIsAsked() {
        PeerFixture here = here();
        there();
        assertEquals(here.connection().peerName(), peerOf(ask()));
        assertEquals(0, beyond.asked);
    }

    @Test
    void requestThatWouldWaitGoesBeyond() {
        here();
        PeerFixture there = there();
        ask();
        assertEquals(there.connection().peerName(), peerOf(ask()));
        assertEquals(ExchangeState.QUEUED, ask().state());
    }

    @Test
    void whatCannotLeaveWaitsAndDoesNotHoldOthersUp() {
        here();
        ask();
        beyond.takes = false;
        Exchange stays = ask();
        assertEquals(ExchangeState.QUEUED, stays.state());
        stays.tries().stay();
        beyond.takes = true;
        there();
        assertEquals(ExchangeState.SENT, ask().state());
        assertEquals(ExchangeState.QUEUED, stays.state());
    }

    @Test
    void whatWaitsLeavesWhenThereIsRoom() {
        here();
        ask();
        Exchange first = ask();
        Exchange second = ask();
        there();
        manager.spill();
        engine.loop().run();
        assertEquals(ExchangeState.SENT, first.state());
        assertEquals(ExchangeState.QUEUED, second.state());
    }

    @Test
    void contextThatIsServedElsewhereIsKnownAndItsRequestsWait() {
        assertNull(manager.match("", "/osp"));
        manager.elsewhere(Set.of(OSP));
        Exchange waits = ask();
        assertEquals(ExchangeState.QUEUED, waits.state());
        assertFalse(manager.contexts().getFirst().served());

        manager.elsewhere(Set.of());
        assertNull(manager.match("", "/osp"));
        assertEquals(Failure.NO_PEER, clients.getFirst().failure());
    }

    @Test
    void contextOfBothStaysWithWhoIsLeft() {
        PeerFixture here = here();
        manager.elsewhere(Set.of(OSP));
        manager.elsewhere(Set.of());
        assertEquals(ExchangeState.SENT, ask().state());

        manager.elsewhere(Set.of(OSP));
        here.link().ends();
        engine.pass(TestEngine.GRACE.plusSeconds(1));
        assertNotNull(manager.match("", "/osp"));
        Exchange waits = ask();
        assertEquals(ExchangeState.QUEUED, waits.state());
        here();
        assertEquals(ExchangeState.SENT, waits.state());
    }

    @Test
    void goneContextIsMadeAnewForWhatIsElsewhere() {
        PeerFixture here = here();
        here.link().ends();
        engine.pass(TestEngine.GRACE.plusSeconds(1));
        assertNull(manager.match("", "/osp"));
        manager.elsewhere(Set.of(OSP));
        assertNotNull(manager.match("", "/osp"));
    }

    private Exchange guest() {
        return guest("POST");
    }

    private Exchange guest(String method) {
        ContextAssistantManager.Guests guests = manager.guests(OSP);
        assertNotNull(guests);
        var client = new RecordingClient();
        clients.add(client);
        Exchange exchange = engine.submit(method, "", guests.dispatcher(), client);
        engine.loop().run();
        return exchange;
    }

    @Test
    void guestGetsAFreeSlotOrNone() {
        PeerFixture here = here();
        Exchange guest = guest();
        assertEquals(here.connection().peerName(), peerOf(guest));
        Exchange refused = guest();
        assertEquals(ExchangeState.FAILED, refused.state());
        assertEquals(Failure.QUEUE_FULL, clients.getLast().failure());
        assertEquals(Map.of("answered", 0L), manager.contexts().getFirst().outcomes());
        assertFalse(guest.tries().mayLeave());
        assertNull(manager.guests(new ServedContext("/other", "")));
    }

    @Test
    void pausedContextTakesNoGuests() {
        here();
        manager.pause(OSP, new Pause("later", 30));
        assertEquals(ExchangeState.FAILED, guest().state());
    }

    @Test
    void guestWhosePeerLeavesWaitsHere() {
        PeerFixture here = here();
        Exchange guest = guest("GET");
        there();
        here.link().ends();
        engine.loop().run();
        assertEquals(ExchangeState.QUEUED, guest.state());
        here();
        assertEquals(ExchangeState.SENT, guest.state());
    }

    @Test
    void withoutAClusterNobodyIsAsked() {
        manager.overflow(null);
        here();
        there();
        ask();
        assertEquals(ExchangeState.QUEUED, ask().state());
        assertEquals(0, beyond.asked);
    }
}
