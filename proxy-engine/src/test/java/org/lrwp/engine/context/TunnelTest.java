package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.MultiplexedPeer.u32;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.testkit.TunnelingClient;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.frame.FrameType;

import java.time.Duration;
import java.util.List;

/** A client and a peer that have gone over to another protocol: docs/protocol.md section 15.12. */
class TunnelTest {
    private static final String SWITCHING = "Status: 101\nUpgrade: websocket\nX-Own: 1\n\n";

    private final UpgradeScene scene = new UpgradeScene();
    private final TestEngine engine = scene.engine();
    private final TunnelingClient client = new TunnelingClient();
    private final MultiplexedPeer peer = scene.joins(1, 40_000, "websocket");
    private Exchange exchange = scene.offer("websocket", client);

    @BeforeEach
    void open() {
        peer.frames();
        peer.sends(FrameType.RESPONSE, 1, SWITCHING + "first");
        assertEquals(ExchangeState.TUNNEL, exchange.state());
    }

    private void sends(String bytes) {
        client.sends(bytes);
        engine.loop().run();
    }

    private List<String> events() {
        engine.loop().run();
        return client.events();
    }

    private ExchangeRecord record() {
        assertEquals(1, engine.records().size());
        return engine.records().getFirst();
    }

    @Test
    void clientGetsTheProtocolAndThePeersFieldsAndTheFirstBytes() {
        assertEquals(101, client.head().status());
        assertEquals(
                List.of(
                        new HeaderField("Connection", "Upgrade"),
                        new HeaderField("Upgrade", "websocket"),
                        new HeaderField("X-Own", "1")),
                client.head().fields());
        assertEquals("first", client.takes());
    }

    @Test
    void bytesGoBothWaysAsTheyCome() {
        sends("ping");
        assertEquals(List.of("1 DATA ping"), peer.frames());
        peer.sends(FrameType.DATA, 1, "pong");
        assertEquals("firstpong", client.takes());
        sends("again");
        assertEquals(List.of("1 DATA again"), peer.frames());
    }

    @Test
    void peersWindowHoldsTheClientBackAndOthersGoOn() {
        assertTrue(client.sends("x".repeat(20_000)));
        engine.loop().run();
        assertEquals(2, peer.frames().size());
        assertTrue(client.sends("y".repeat(30_000)));
        engine.loop().run();
        assertEquals(2, peer.frames().size());
        assertFalse(client.sends("z".repeat(Tunnel.ROOM)));
        engine.loop().run();
        assertTrue(peer.frames().isEmpty());

        peer.sends(FrameType.WINDOW, 1, u32(40_000));

        assertEquals(List.of("room"), events());
        assertEquals(3, peer.frames().size());
    }

    @Test
    void slowClientHoldsThePeerBack() {
        peer.sends(FrameType.DATA, 1, "x".repeat(60_000));
        assertTrue(peer.frames().isEmpty());

        client.takes();
        engine.loop().run();

        assertEquals(List.of("1 WINDOW 60005"), peer.frames());
    }

    @Test
    void clientThatTakesAtOnceNeverStopsThePeer() {
        for (int i = 0; i < 10; i++) {
            peer.sends(FrameType.DATA, 1, "x".repeat(30_000));
            client.takes();
            engine.loop().run();
        }

        assertEquals(0, client.waiting());
        assertTrue(peer.frames().size() >= 4);
    }

    @Test
    void halfCloseOfTheClientLeavesThePeersDirectionOpen() {
        client.tunnel().end();
        engine.loop().run();
        assertEquals(List.of("1 DATA END"), peer.frames());

        peer.sends(FrameType.DATA, 1, "more");
        assertEquals("firstmore", client.takes());
        peer.ends(FrameType.DATA, 1, "last");

        assertEquals("last", client.takes());
        assertEquals(List.of("end"), events());
        assertEquals(1, peer.connection().free());
        exchange.delivered();
        assertEquals("answered", record().reason());
        assertEquals(101, record().status());
        assertEquals(13, record().answerBytes());
    }

    @Test
    void halfCloseOfThePeerLeavesTheClientsDirectionOpen() {
        peer.ends(FrameType.DATA, 1, "last");
        assertEquals("firstlast", client.takes());
        assertEquals(List.of("end"), events());
        assertEquals(0, peer.connection().free());
        peer.frames();

        sends("x".repeat(50_000));
        peer.sends(FrameType.WINDOW, 1, u32(20_000));
        client.tunnel().end();
        engine.loop().run();

        assertTrue(peer.frames().getLast().startsWith("1 DATA END"));
        assertEquals(1, peer.connection().free());
        exchange.delivered();
        assertEquals(50_000, record().requestBytes());
    }

    @Test
    void whatTheClientSaysLastReachesThePeerAlsoWhenTheClientIsGoneByThen() {
        peer.ends(FrameType.DATA, 1, "");
        peer.frames();

        client.sends("x".repeat(50_000));
        client.tunnel().end();
        exchange.delivered();
        engine.loop().run();
        assertFalse(peer.frames().toString().contains("CANCEL"));
        assertEquals(0, peer.connection().free());
        peer.sends(FrameType.WINDOW, 1, u32(20_000));

        assertTrue(peer.frames().getLast().startsWith("1 DATA END"));
        assertEquals(1, peer.connection().free());
        assertEquals("answered", record().reason());
    }

    @Test
    void aPeerThatDoesNotTakeWhatTheClientSaidLastIsGivenUpInTime() {
        peer.ends(FrameType.DATA, 1, "");
        client.sends("x".repeat(50_000));
        client.tunnel().end();
        exchange.delivered();
        engine.loop().run();

        engine.time().advance(Duration.ofHours(2));
        engine.loop().run();

        assertEquals(1, peer.connection().free());
    }

    @Test
    void whatWasOnItsWayWhenBothHadEndedIsPassedOver() {
        peer.ends(FrameType.DATA, 1, "");
        client.tunnel().end();
        engine.loop().run();
        peer.frames();

        peer.sends(FrameType.WINDOW, 1, u32(20_000));
        peer.sends(FrameType.CANCEL, 1, "too late");

        assertTrue(peer.frames().isEmpty());
        assertEquals(1, peer.connection().free());
    }

    @Test
    void dataBehindThePeersEndIsAnError() {
        peer.ends(FrameType.DATA, 1, "");

        peer.sends(FrameType.DATA, 1, "more");

        assertEquals("0 ERROR DATA behind END on stream 1", peer.frames().getLast());
        assertEquals(List.of("end", "cut"), events());
    }

    @Test
    void cancelOfThePeerCutsTheClient() {
        peer.sends(FrameType.CANCEL, 1, "handler failed");

        assertEquals(List.of("cut"), events());
        assertEquals(List.of("1 CANCEL the stream has ended"), peer.frames());
        assertEquals("peer-cancelled", record().reason());
        assertEquals(101, record().status());
        assertEquals(1, peer.connection().free());
    }

    @Test
    void cancelBehindThePeersEndCutsTheClientToo() {
        peer.ends(FrameType.DATA, 1, "");

        peer.sends(FrameType.CANCEL, 1, "no more");

        assertEquals(List.of("end", "cut"), events());
        assertEquals(1, peer.connection().free());
    }

    @Test
    void lossOfTheClientIsCancelToThePeer() {
        exchange.clientGone(Failure.CLIENT_GONE);
        engine.loop().run();

        assertEquals(List.of("1 CANCEL the request has ended"), peer.frames());
        assertEquals(0, peer.connection().free());
        peer.sends(FrameType.CANCEL, 1, "");
        assertEquals(1, peer.connection().free());
        assertTrue(events().isEmpty());
        assertEquals("client-gone", record().reason());
    }

    @Test
    void lossOfTheClientBehindThePeersEndFreesTheSlotAtOnce() {
        peer.ends(FrameType.DATA, 1, "");
        exchange.clientGone(Failure.CLIENT_GONE);
        engine.loop().run();

        assertEquals(List.of("1 CANCEL the stream has ended"), peer.frames());
        assertEquals(1, peer.connection().free());
    }

    @Test
    void lossOfThePeerCutsTheClient() {
        peer.link().ends();

        assertEquals(List.of("cut"), events());
        assertEquals("peer-gone", record().reason());
    }

    @Test
    void silenceOfTheIdleTimeCutsBothAndNoResponseTimeDoes() {
        engine.pass(TestEngine.IDLE_TIME.minus(Duration.ofSeconds(1)));
        sends("x");
        peer.frames();
        engine.pass(TestEngine.IDLE_TIME.minus(Duration.ofSeconds(1)));
        assertTrue(events().isEmpty());
        peer.sends(FrameType.DATA, 1, "y");
        engine.pass(TestEngine.IDLE_TIME.minus(Duration.ofSeconds(1)));
        assertTrue(events().isEmpty());

        engine.pass(Duration.ofSeconds(2));

        assertEquals(List.of("cut"), events());
        assertEquals(List.of("1 CANCEL nothing was sent for too long"), peer.frames());
        assertEquals("tunnel-idle", record().reason());
    }

    @Test
    void drainOfTheProxyLeavesTheTunnelAndCloseCutsIt() {
        peer.connection().drain();
        engine.loop().run();
        sends("still");
        assertEquals(List.of("0 DRAIN", "1 DATA still"), peer.frames());
        assertFalse(peer.link().isClosed());

        peer.connection().close("proxy closed");

        assertEquals(List.of("cut"), events());
        assertTrue(peer.link().isClosed());
    }

    @Test
    void drainOfThePeerLeavesTheTunnelToIt() {
        peer.sends(FrameType.DRAIN, 0, "");
        peer.sends(FrameType.DATA, 1, "bye");
        client.tunnel().end();
        peer.ends(FrameType.DATA, 1, "");

        assertEquals("firstbye", client.takes());
        assertEquals(List.of("end"), events());
        assertTrue(peer.link().isClosed() || peer.link().isOutputShut());
    }

    @Test
    void statusShowsATunnelAsOne() {
        assertEquals(ExchangeState.TUNNEL, exchange.status().state());
    }
}
