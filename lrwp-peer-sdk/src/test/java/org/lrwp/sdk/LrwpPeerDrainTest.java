package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aSerialPeer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

@Timeout(60)
final class LrwpPeerDrainTest {
    private final RecordedEvents events = new RecordedEvents();
    private final HeldHandler held = new HeldHandler();

    @Test
    void idleConnectionsLeaveAtOnceAndBusyOnesFinishTheirAnswer() throws Exception {
        try (ScriptedProxy proxy = ScriptedProxy.start();
                LrwpPeer peer = aSerialPeer(proxy, events).handler(held).concurrency(2).connect();
                ProxySide busy = proxy.register("osp");
                ProxySide idle = proxy.register("osp")) {
            events.next(PeerEvent.Registered.class);
            events.next(PeerEvent.Registered.class);
            busy.send(ProxySide.frame("HOLD", ""));
            held.awaitEntered();

            peer.leave();

            idle.expectEnd();
            events.next(PeerEvent.Closed.class);
            assertEquals(1, peer.registeredConnections());
            held.release();
            assertEquals("HOLD", busy.answerBody());
            busy.expectEnd();
            busy.hangUp();
            peer.awaitClosed();
            events.next(PeerEvent.Closed.class);
            assertTrue(events.isEmpty());
            assertFalse(peer.awaitRegistered(Duration.ofSeconds(10)));
        }
    }

    @Test
    void lastAnswerIsWholeWithAndWithoutBody() throws Exception {
        for (int size : new int[] {0, 1, 500_000}) {
            try (ScriptedProxy proxy = ScriptedProxy.start()) {
                CountDownLatch begun = new CountDownLatch(1);
                CountDownLatch leaving = new CountDownLatch(1);
                RequestHandler handler =
                        request -> {
                            begun.countDown();
                            leaving.await();
                            return PeerResponse.of("a/b", new byte[size]);
                        };
                LrwpPeer peer = aSerialPeer(proxy, events).handler(handler).connect();
                try (ProxySide side = proxy.register("osp")) {
                    side.send(ProxySide.frame("GET", ""));
                    begun.await();
                    peer.leave();
                    leaving.countDown();

                    assertEquals(size, side.answerBody().length());
                    side.expectEnd();
                }
                peer.close();
            }
        }
    }

    @Test
    void closeWaitsForTheAnswer() throws Exception {
        try (ScriptedProxy proxy = ScriptedProxy.start();
                ProxySide side = busyPeerThatIsClosed(proxy, 30)) {
            held.release();

            assertEquals("HOLD", side.answerBody());
            side.expectEnd();
        }
        events.next(PeerEvent.Closed.class);
    }

    @Test
    void answerIsCutAtTheDeadlineAndItsHandlerInterrupted() throws Exception {
        try (ScriptedProxy proxy = ScriptedProxy.start();
                ProxySide side = busyPeerThatIsClosed(proxy, 0.02)) {
            held.awaitInterrupted();

            side.expectEnd();
        }
        events.next(PeerEvent.Closed.class);
    }

    private ProxySide busyPeerThatIsClosed(ScriptedProxy proxy, double seconds) throws Exception {
        LrwpPeer peer = aSerialPeer(proxy, events).handler(held).drainSeconds(seconds).connect();
        ProxySide side = proxy.register("osp");
        side.send(ProxySide.frame("HOLD", ""));
        held.awaitEntered();
        Thread.ofVirtual().start(peer::close);
        return side;
    }

    @Test
    void proxyThatKeepsItsEndOpenDoesNotKeepThePeer() throws Exception {
        try (ScriptedProxy proxy = ScriptedProxy.start();
                LrwpPeer peer = aSerialPeer(proxy, events).handler(held).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("HOLD", ""));
            held.awaitEntered();
            peer.leave();
            held.release();
            assertEquals("HOLD", side.answerBody());
            side.expectEnd();

            peer.awaitClosed();

            events.next(PeerEvent.Closed.class);
        }
    }

    @Test
    void closingAPeerThatWaitsForARetryEndsItAtOnce() throws Exception {
        int port;
        try (ScriptedProxy gone = ScriptedProxy.start()) {
            port = gone.port();
        }
        Duration day = Duration.ofDays(1);
        LrwpPeer peer =
                aSerialPeer(port, events).times(PeerTimes.defaults().withRetry(day, day)).connect();
        events.next(PeerEvent.Retrying.class);

        peer.close();
        peer.close();

        events.next(PeerEvent.Closed.class);
        assertEquals(0, peer.registeredConnections());
    }

    @Test
    void interruptCutsTheDrainAndStaysSet() throws Exception {
        try (ScriptedProxy proxy = ScriptedProxy.start()) {
            LrwpPeer peer = aSerialPeer(proxy, events).handler(held).connect();
            ProxySide side = proxy.register("osp");
            side.send(ProxySide.frame("HOLD", ""));
            held.awaitEntered();
            CountDownLatch stillSet = new CountDownLatch(1);
            Thread.ofVirtual()
                    .start(
                            () -> {
                                Thread.currentThread().interrupt();
                                peer.close();
                                if (Thread.currentThread().isInterrupted()) {
                                    stillSet.countDown();
                                }
                            });

            side.expectEnd();
            held.awaitInterrupted();
            stillSet.await();
            side.close();
        }
    }
}
