package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.testkit.TunnelingClient;
import org.lrwp.protocol.frame.FrameType;

import java.time.Duration;
import java.util.List;

/** Where requests go that offer another protocol, and what becomes of them before 101. */
class UpgradeTest {
    private static final String SWITCHING = "Status: 101\nUpgrade: websocket\n\n";

    private final UpgradeScene scene = new UpgradeScene();
    private final TestEngine engine = scene.engine();
    private final TunnelingClient client = new TunnelingClient();
    private MultiplexedPeer taker = scene.joins(1, "websocket");

    @BeforeEach
    void greeted() {
        assertTrue(taker.frames().isEmpty());
    }

    private Exchange offer(String protocols) {
        return scene.offer(protocols, client);
    }

    @Test
    void offerGoesToAPeerThatTakesItWithoutEnd() {
        MultiplexedPeer plain = scene.joins(8, "");
        offer("foo, WebSocket");

        assertEquals(List.of("1 REQUEST ID=r1|HTTP_UPGRADE=foo, WebSocket||"), taker.frames());
        assertTrue(plain.frames().isEmpty());
    }

    @Test
    void withoutATakerTheRequestIsAnOrdinaryOne() {
        offer("foo");

        assertEquals(List.of("1 REQUEST END ID=r1||"), taker.frames());
        taker.answers(1, "plain");
        assertEquals("plain", client.ordinary().read());
    }

    @Test
    void statusOtherThan101IsAnOrdinaryAnswerAndTheProxyEndsItsDirection() {
        Exchange exchange = offer("websocket");
        taker.frames();

        taker.sends(FrameType.RESPONSE, 1, "Status: 403\nContent-Type: text/plain\n\nno");
        assertEquals(List.of("1 DATA END"), taker.frames());
        taker.ends(FrameType.DATA, 1, "!");

        assertEquals(403, client.ordinary().head().status());
        assertEquals("no!", client.ordinary().read());
        exchange.delivered();
        assertEquals(1, taker.connection().free());
        assertEquals(List.of("answered"), engine.reasons());
    }

    @Test
    void wholeAnswerOtherThan101IsFollowedByCancel() {
        offer("websocket");
        taker.frames();

        taker.answers(1, "no");

        assertEquals("no", client.ordinary().read());
        assertEquals(List.of("1 CANCEL the stream has ended"), taker.frames());
        assertEquals(1, taker.connection().free());
    }

    @Test
    void protocolThatWasNotOfferedIs502AndCancel() {
        offer("websocket");
        taker.frames();

        taker.sends(FrameType.RESPONSE, 1, "Status: 101\nUpgrade: foo\n\n");

        assertEquals(Failure.BROKEN_HEAD, client.ordinary().failure());
        assertTrue(taker.frames().getFirst().startsWith("1 CANCEL broken head: status 101"));
        assertEquals(0, taker.connection().free());
        taker.sends(FrameType.CANCEL, 1, "");
        assertEquals(1, taker.connection().free());
    }

    @Test
    void switchingWithEndIs502AndCancelAndTheSlotIsFree() {
        offer("websocket");
        taker.frames();

        taker.ends(FrameType.RESPONSE, 1, SWITCHING);

        assertEquals(Failure.BROKEN_HEAD, client.ordinary().failure());
        assertEquals(List.of("1 CANCEL the stream has ended"), taker.frames());
        assertEquals(1, taker.connection().free());
    }

    @Test
    void switchingThatWasNotAskedForIs502() {
        offer("foo");
        taker.frames();

        taker.sends(FrameType.RESPONSE, 1, SWITCHING);

        assertEquals(Failure.BROKEN_HEAD, client.ordinary().failure());
        assertTrue(taker.frames().getFirst().startsWith("1 CANCEL"));
    }

    @Test
    void offerWaitsForATakerWhileOthersAreFree() {
        MultiplexedPeer plain = scene.joins(8, "");
        offer("websocket");
        var second = new TunnelingClient();
        Exchange waiting = scene.offer("websocket", second);
        taker.frames();
        assertEquals(ExchangeState.QUEUED, waiting.state());

        taker.answers(1, "no");

        assertEquals(
                List.of(
                        "1 CANCEL the stream has ended",
                        "1 REQUEST ID=r2|HTTP_UPGRADE=websocket||"),
                taker.frames());
        assertTrue(plain.frames().isEmpty());
    }

    @Test
    void ordinaryRequestsPassAnOfferThatWaits() {
        MultiplexedPeer plain = scene.joins(8, "");
        offer("websocket");
        scene.offer("websocket", new TunnelingClient());

        var other = new TunnelingClient();
        scene.offer("foo", other);

        assertEquals(List.of("1 REQUEST END ID=r3||"), plain.frames());
    }

    @Test
    void offerThatWaitedForAnybodyIsOneWhenItsPeerTakesIt() {
        offer("websocket");
        var second = new TunnelingClient();
        scene.offer("foo", second);

        MultiplexedPeer late = scene.joinsUnread(1, "foo");

        assertEquals("1 REQUEST ID=r2|HTTP_UPGRADE=foo||", late.frames().getLast());
        late.sends(FrameType.RESPONSE, 1, "Status: 101\nUpgrade: foo\n\n");
        assertEquals(101, second.head().status());
    }

    @Test
    void offerThatWaitedForAnybodyFailsWhenThereIsNoRoomForItsTunnel() {
        offer("websocket");
        var second = new TunnelingClient();
        scene.offer("foo", second);
        engine.tunnelRoom(0);

        MultiplexedPeer late = scene.joinsUnread(1, "foo");

        assertEquals(Failure.TOO_MANY_TUNNELS, second.ordinary().failure());
        assertTrue(late.frames().getLast().startsWith("0 SETTINGS "));
        assertEquals(1, late.connection().free());
    }

    @Test
    void whenTheLastTakerLeavesTheOffersThatWaitFail() {
        scene.joins(8, "");
        offer("websocket");
        var second = new TunnelingClient();
        scene.offer("websocket", second);

        taker.link().ends();
        engine.loop().run();

        assertEquals(Failure.NO_PEER, second.ordinary().failure());
    }

    @Test
    void offerMovesToAnotherTakerBeforeItsAnswer() {
        offer("websocket");
        MultiplexedPeer next = scene.joins(1, "websocket");

        taker.link().ends();
        engine.loop().run();

        assertEquals(List.of("1 REQUEST ID=r1|HTTP_UPGRADE=websocket||"), next.frames());
        assertNull(client.ordinary().failure());
    }

    @Test
    void refusedOfferGoesToAnotherTakerOnly() {
        offer("websocket");
        scene.joins(8, "");

        taker.sends(FrameType.REFUSED, 1, "full");

        assertEquals(Failure.REFUSED, client.ordinary().failure());
    }

    @Test
    void peerThatSaysNothingIsLateLikeWithAnyRequest() {
        offer("websocket");
        engine.pass(TestEngine.RESPONSE_TIME.plus(Duration.ofSeconds(1)));

        // It answers no PING either, but that comes later.
        assertNotNull(client.ordinary().failure());
    }

    @Test
    void offerAboveTheLimitOfTunnelsFailsBeforeAPeerSeesIt() {
        engine.tunnelRoom(0);
        offer("websocket");

        assertEquals(Failure.TOO_MANY_TUNNELS, client.ordinary().failure());
        assertTrue(taker.frames().isEmpty());
    }

    @Test
    void lastRoomMayBeTakenWhileThePeerThinks() {
        offer("websocket");
        taker.frames();
        engine.tunnelRoom(0);

        taker.sends(FrameType.RESPONSE, 1, SWITCHING + "hello");

        assertEquals(Failure.TOO_MANY_TUNNELS, client.ordinary().failure());
        assertEquals(List.of("1 CANCEL the request has ended"), taker.frames());
    }
}
