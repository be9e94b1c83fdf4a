package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aPeer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.testkit.wire.Frame;

import java.time.Duration;

/** How the two sides part: rules 5 and 10 of LRWP 3. */
@Timeout(60)
final class MultiplexDrainTest {
    private final RecordedEvents events = new RecordedEvents();
    private final HeldHandler held = new HeldHandler();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    @Test
    void leavingPeerDrainsAnswersWhatCrossesAndLetsTheProxyClose() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).concurrency(2).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            peer.leave();
            side.expect(Frame.DRAIN, 0);
            side.request(2, "HOLD", "");
            side.expect(Frame.STARTED, 2);
            held.release();
            // Whichever of the two threads is first.
            Frame one = side.frame();
            Frame other = side.expect(Frame.RESPONSE, 3 - one.stream());
            assertEquals(Frame.RESPONSE, one.type());
            assertEquals("HOLD", one.body());
            assertEquals("HOLD", other.body());
            side.hangUp();

            peer.awaitClosed();
            events.next(PeerEvent.Registered.class);
            assertInstanceOf(PeerEvent.Closed.class, events.any());
            assertTrue(events.isEmpty());
        }
    }

    @Test
    void atTheDeadlineHandlersAreInterruptedAndTheOutputEndsInOrder() throws Exception {
        LrwpPeer peer = aPeer(proxy, events).handler(held).drainSeconds(0.02).connect();
        try (FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            held.awaitEntered();
            Thread.ofVirtual().start(peer::close);
            side.expect(Frame.DRAIN, 0);

            held.awaitInterrupted();
            side.expectEnd();
        }
        peer.awaitClosed();
    }

    @Test
    void proxyThatDrainsIsServedToTheEndAndDialledAgainAtOnce() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).handler(held).connect();
                FrameSide old = FrameSide.accept(proxy)) {
            old.request(1, "HOLD", "");
            old.expect(Frame.STARTED, 1);
            old.drain();
            events.next(PeerEvent.Draining.class);

            try (FrameSide fresh = FrameSide.accept(proxy)) {
                events.next(PeerEvent.Registered.class);
                assertEquals(2, peer.registeredConnections());
                held.release();
                assertEquals("HOLD", old.expect(Frame.RESPONSE, 1).body());
                old.hangUp();
                fresh.request(1, "HOLD", "");
                assertEquals("HOLD", fresh.answer(1).body());
                assertTrue(events.isEmpty());
            }
        }
    }

    @Test
    void proxyThatOnlyDrainsIsDialledMoreAndMoreSeldom() throws Exception {
        Duration day = Duration.ofDays(1);
        try (LrwpPeer peer =
                aPeer(proxy, events).times(PeerTimes.defaults().withRetry(day, day)).connect()) {
            FrameSide first = FrameSide.accept(proxy);
            first.drain();
            FrameSide second = FrameSide.accept(proxy);
            second.drain();
            Duration delay = events.next(PeerEvent.Retrying.class).delay();
            assertTrue(delay.compareTo(day.dividedBy(2)) >= 0);
            first.close();
            second.close();
            assertTrue(peer.registeredConnections() <= 2);
        }
    }

    @Test
    void drainedConnectionThatBreaksWithARequestIsLost() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).handler(held).connect();
                FrameSide old = FrameSide.accept(proxy)) {
            old.request(1, "HOLD", "");
            old.expect(Frame.STARTED, 1);
            held.awaitEntered();
            old.drain();
            events.next(PeerEvent.Draining.class);
            old.hangUp();

            held.awaitInterrupted();
            events.next(PeerEvent.Lost.class);
            assertTrue(peer.registeredConnections() <= 2);
        }
    }
}
