package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aPeer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.testkit.wire.Frame;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Handlers that go over to another protocol, asynchronous and blocking. */
@Timeout(60)
final class UpgradeTest {
    private static final List<HeaderField> FIELDS = List.of(new HeaderField("X-Own", "1"));

    private final RecordedEvents events = new RecordedEvents();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    private String heard() throws InterruptedException {
        return String.valueOf(heard.poll(10, TimeUnit.SECONDS));
    }

    private static void ask(FrameSide side, int stream) throws IOException {
        side.send(
                FrameSide.begun(
                        stream,
                        Map.of("REQUEST_METHOD", "GET", "HTTP_UPGRADE", "foo, WebSocket"),
                        ""));
    }

    private static Frame switched(FrameSide side) throws IOException {
        Frame frame = side.answer(1);
        assertTrue(frame.text().contains("Status: 101 Switching Protocols\r\n"), frame::text);
        assertTrue(frame.text().contains("Upgrade: websocket\r\n"), frame::text);
        assertTrue(frame.text().contains("X-Own: 1\r\n"), frame::text);
        assertTrue(!frame.isEnd());
        return frame;
    }

    /** Sends back what comes, and says what it hears. */
    private final class Echo implements ExchangeListener {
        private final PeerExchange exchange;

        Echo(PeerExchange exchange) {
            this.exchange = exchange;
            exchange.upgrade("websocket", FIELDS);
        }

        @Override
        public void onBody(ByteBuffer bytes) {
            String text = StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
            heard.add(text);
            switch (text) {
                case "end" -> exchange.complete();
                case "cut" -> exchange.abort("no more");
                default -> exchange.write(bytes);
            }
        }

        @Override
        public void onBodyEnd() {
            heard.add("END");
            exchange.complete();
        }

        @Override
        public void onCancelled(String reason) {
            heard.add("cancelled");
            exchange.complete();
        }

        @Override
        public void onDone() {
            heard.add("done");
        }
    }

    private LrwpPeer echo() {
        return aPeer(proxy, events)
                .upgrades("websocket")
                .window(65_536)
                .exchangeHandler(exchange -> exchange.listen(new Echo(exchange)))
                .connect();
    }

    @Test
    void peerSaysWhichProtocolsItTakes() throws Exception {
        try (LrwpPeer peer = echo();
                FrameSide side = FrameSide.greet(proxy.accept(), FrameSide.SETTINGS)) {
            PeerSettings settings = side.settings();
            assertEquals(List.of("websocket"), settings.upgrade().names());
            assertEquals(0, peer.registeredConnections() - 1);
        }
    }

    @Test
    void headOfATunnelThatIsTooLongForAFrameIs500() throws Exception {
        List<HeaderField> large = List.of(new HeaderField("X-Large", "a".repeat(70_000)));
        ExchangeHandler handler = exchange -> exchange.upgrade("websocket", large);
        try (LrwpPeer peer =
                        aPeer(proxy, events)
                                .upgrades("websocket")
                                .exchangeHandler(handler)
                                .connect();
                FrameSide side = FrameSide.accept(proxy)) {
            ask(side, 1);
            Frame refusal = side.answer(1);
            assertTrue(refusal.text().contains("Status: 500"), refusal::text);
            assertTrue(refusal.isEnd());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bytesGoBothWaysAndTheClientsEndEndsTheExchange() throws Exception {
        try (LrwpPeer peer = echo();
                FrameSide side = FrameSide.accept(proxy)) {
            ask(side, 1);
            switched(side);
            side.data(1, "one");
            assertEquals("one", side.expect(Frame.DATA, 1).text());
            side.data(1, "two");
            assertEquals("two", side.expect(Frame.DATA, 1).text());
            side.lastData(1, "");
            assertTrue(side.expect(Frame.DATA, 1).isEnd());
            assertEquals("one two END done", String.join(" ", heard(), heard(), heard(), heard()));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void peersEndLeavesTheClientsDirectionOpen() throws Exception {
        try (LrwpPeer peer = echo();
                FrameSide side = FrameSide.accept(proxy)) {
            ask(side, 1);
            switched(side);
            side.data(1, "end");
            assertTrue(side.expect(Frame.DATA, 1).isEnd());
            side.data(1, "x".repeat(40_000));
            assertEquals("end", heard());
            assertEquals(40_000, heard().length());
            assertEquals(Frame.WINDOW, side.frame().type());
            side.lastData(1, "last");
            assertEquals("last END done", String.join(" ", heard(), heard(), heard()));
            side.requireAlive();
            side.request(1, "GET", "");
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void cancelBehindThePeersEndIsHeardAndNothingMoreIsSent() throws Exception {
        try (LrwpPeer peer = echo();
                FrameSide side = FrameSide.accept(proxy)) {
            ask(side, 1);
            switched(side);
            side.data(1, "end");
            assertTrue(side.expect(Frame.DATA, 1).isEnd());
            side.cancel(1, "gone");
            assertEquals("end cancelled done", String.join(" ", heard(), heard(), heard()));
            side.requireAlive();
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void abortCutsTheTunnel() throws Exception {
        try (LrwpPeer peer = echo();
                FrameSide side = FrameSide.accept(proxy)) {
            ask(side, 1);
            switched(side);
            side.data(1, "cut");
            assertEquals("no more", side.expect(Frame.CANCEL, 1).text());
            assertEquals("cut done", String.join(" ", heard(), heard()));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void protocolThatIsNotOfferedCannotBeChosen() throws Exception {
        try (LrwpPeer peer = echo();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "GET", "");
            assertTrue(side.answer(1).text().contains("Status: 500"));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void blockingHandlerHasTwoStreams() throws Exception {
        TunnelHandler tunnel =
                (in, out) -> {
                    byte[] three = in.readNBytes(3);
                    out.write(three);
                    out.flush();
                    heard.add("rest " + in.readAllBytes().length);
                };
        try (LrwpPeer peer =
                        aPeer(proxy, events)
                                .upgrades("websocket")
                                .handler(
                                        request ->
                                                PeerResponse.upgraded("websocket", FIELDS, tunnel))
                                .connect();
                FrameSide side = FrameSide.accept(proxy)) {
            ask(side, 1);
            switched(side);
            side.data(1, "abc");
            assertEquals("abc", side.expect(Frame.DATA, 1).text());
            side.lastData(1, "12345");
            assertEquals("rest 5", heard());
            assertTrue(side.expect(Frame.DATA, 1).isEnd());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void blockingHandlerThatFailsCutsTheTunnel() throws Exception {
        TunnelHandler tunnel =
                (in, out) -> {
                    throw new IOException("no");
                };
        try (LrwpPeer peer =
                        aPeer(proxy, events)
                                .upgrades("websocket")
                                .handler(
                                        request ->
                                                PeerResponse.upgraded("websocket", FIELDS, tunnel))
                                .connect();
                FrameSide side = FrameSide.accept(proxy)) {
            ask(side, 1);
            side.expect(Frame.STARTED, 1);
            Frame frame = side.frame();
            while (frame.type() == Frame.RESPONSE) {
                frame = side.frame();
            }
            assertEquals(Frame.CANCEL, frame.type());
            assertEquals(1, peer.registeredConnections());
        }
    }
}
