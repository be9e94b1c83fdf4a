package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aPeer;
import static org.lrwp.sdk.PeerFixture.aSerialPeer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.testkit.wire.Frame;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The asynchronous handlers, over LRWP 3 and over LRWP 1. */
@Timeout(60)
final class ExchangeHandlerTest {
    private static final List<HeaderField> TEXT =
            List.of(new HeaderField("Content-Type", "text/plain"));

    private final RecordedEvents events = new RecordedEvents();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    private String heard() throws InterruptedException {
        return String.valueOf(heard.poll(10, TimeUnit.SECONDS));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends the body back as it comes, and says what it hears. */
    private final class Echo implements ExchangeListener {
        private final PeerExchange exchange;

        Echo(PeerExchange exchange) {
            this.exchange = exchange;
            exchange.respond(200, TEXT);
        }

        @Override
        public void onBody(ByteBuffer part) {
            heard.add("body " + part.remaining());
            exchange.write(part);
        }

        @Override
        public void onBodyEnd() {
            heard.add("end");
            exchange.complete();
        }

        @Override
        public void onCancelled(String reason) {
            heard.add("cancelled " + reason + " " + exchange.isCancelled());
            exchange.complete();
        }

        @Override
        public void onDone() {
            heard.add("done");
        }
    }

    @Test
    void bodyIsAnsweredAsItArrives() throws Exception {
        ExchangeHandler handler = exchange -> exchange.listen(new Echo(exchange));
        try (LrwpPeer peer = aPeer(proxy, events).exchangeHandler(handler).stream(true).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.begun(1, "POST", "one"));
            StringBuilder answer = new StringBuilder(side.answer(1).body());
            while (answer.length() < 3) {
                answer.append(side.expect(Frame.DATA, 1).text());
            }
            side.lastData(1, "two");
            Frame frame = side.expect(Frame.DATA, 1);
            while (!frame.isEnd()) {
                answer.append(frame.text());
                frame = side.expect(Frame.DATA, 1);
            }
            assertEquals("onetwo", answer.append(frame.text()).toString());
            assertEquals(
                    "body 3 body 3 end done", String.join(" ", heard(), heard(), heard(), heard()));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bodyAboveThePeersLimitIs413AndTheHandlerIsTold() throws Exception {
        ExchangeHandler handler =
                exchange ->
                        exchange.listen(
                                new ExchangeListener() {
                                    @Override
                                    public void onBody(ByteBuffer part) {
                                        heard.add("body " + part.remaining());
                                    }

                                    @Override
                                    public void onCancelled(String reason) {
                                        heard.add(reason);
                                        exchange.abort(reason);
                                    }
                                });
        try (LrwpPeer peer =
                        aPeer(proxy, events).exchangeHandler(handler).stream(true)
                                .maxBody(5)
                                .connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.begun(1, "POST", "12345"));
            assertEquals("body 5", heard());
            side.lastData(1, "6");
            assertEquals("the body is too large", heard());
            assertTrue(side.answer(1).text().contains("Status: 413"));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void sameHandlerServesLrwp1() throws Exception {
        ExchangeHandler handler = exchange -> exchange.listen(new Echo(exchange));
        try (LrwpPeer peer = aSerialPeer(proxy, events).exchangeHandler(handler).connect();
                ProxySide side = proxy.register("osp")) {
            String big = "x".repeat(300_000);
            side.send(ProxySide.frame("POST", big));
            assertEquals(big, side.answerBody());
            side.send(ProxySide.frame("GET", ""));
            assertEquals("", side.answerBody());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void lrwp1HandlerMayIgnoreTheBodyRefuseAbortAndFail() throws Exception {
        ExchangeHandler handler =
                exchange -> {
                    switch (exchange.request().method()) {
                        case "PUT" -> throw new RequestRefusedException("full");
                        case "DELETE" -> exchange.abort("no");
                        case "PATCH" -> throw new IllegalStateException("planned");
                        default -> exchange.answer(200, TEXT, bytes("early"));
                    }
                };
        try (LrwpPeer peer = aSerialPeer(proxy, events).exchangeHandler(handler).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("POST", "x".repeat(300_000)));
            assertEquals("early", side.answerBody());
            side.send(ProxySide.frame("PUT", "x".repeat(100)));
            assertTrue(side.answer().contains("Status: 503"));
            side.send(ProxySide.frame("DELETE", ""));
            assertTrue(side.answer().contains("Status: 500"));
            side.send(ProxySide.frame("PATCH", ""));
            assertTrue(side.answer().contains("Status: 500"));
            events.next(PeerEvent.HandlerFailed.class);
            assertEquals(1, peer.registeredConnections());
        }
    }

    /** Keeps its exchange open, and ends it when nobody waits any more. */
    private void hold(PeerExchange exchange) {
        exchange.listen(
                new ExchangeListener() {
                    @Override
                    public void onBodyEnd() {
                        heard.add("end");
                    }

                    @Override
                    public void onCancelled(String reason) {
                        heard.add("cancelled " + reason);
                        exchange.abort(reason);
                    }

                    @Override
                    public void onDone() {
                        heard.add("done");
                    }
                });
    }

    @Test
    void lrwp1HandlerThatHasNotAnsweredIsToldThatTheProxyIsGone() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).exchangeHandler(this::hold).connect()) {
            try (ProxySide side = proxy.register("osp")) {
                side.send(ProxySide.frame("POST", "body"));
                assertEquals("end", heard());
            }
            assertEquals("cancelled the connection is lost", heard());
            assertEquals("done", heard());
            try (ProxySide side = proxy.register("osp")) {
                side.send(ProxySide.frame("GET", ""));
                assertEquals("end", heard());
                assertEquals(1, peer.registeredConnections());
                side.reset();
            }
            assertEquals("cancelled the connection is lost done", heard() + " " + heard());
            assertTrue(heard.isEmpty());
        }
    }

    @Test
    void wholeAnswerIsOneFrame() throws Exception {
        ExchangeHandler handler = exchange -> exchange.answer(404, TEXT, bytes("no"));
        try (LrwpPeer peer = aPeer(proxy, events).exchangeHandler(handler).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "GET", "unread");
            Frame answer = side.answer(1);
            assertEquals("no true", answer.body() + " " + answer.isEnd());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void writerThatHasWrittenEnoughIsToldWhenMoreIsWelcome() throws Exception {
        ExchangeHandler handler =
                exchange -> {
                    exchange.respond(200, TEXT);
                    heard.add("more " + exchange.write(bytes("x".repeat(100_000))));
                    exchange.listen(
                            new ExchangeListener() {
                                @Override
                                public void onWritable() {
                                    heard.add("writable");
                                    exchange.complete();
                                }
                            });
                };
        ProxySettings none = new ProxySettings("test", 65_536, 0, 0, 1);
        try (LrwpPeer peer = aPeer(proxy, events).exchangeHandler(handler).connect();
                FrameSide side = FrameSide.accept(proxy, none)) {
            side.request(1, "GET", "");
            side.answer(1);
            assertEquals("more false", heard());
            side.requireAlive();
            assertTrue(heard.isEmpty());
            side.window(1, 100_000);
            assertEquals("writable", heard());
            Frame frame = side.expect(Frame.DATA, 1);
            while (!frame.isEnd()) {
                frame = side.expect(Frame.DATA, 1);
            }
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void pausedBodyIsNotGranted() throws Exception {
        BlockingQueue<PeerExchange> exchanges = new LinkedBlockingQueue<>();
        ExchangeHandler handler =
                exchange -> {
                    exchange.pauseBody();
                    exchange.listen(new Echo(exchange));
                    exchanges.add(exchange);
                };
        try (LrwpPeer peer =
                        aPeer(proxy, events).window(65_536).exchangeHandler(handler).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.begun(1, "POST", "x".repeat(60_000)));
            side.answer(1);
            PeerExchange exchange = exchanges.take();
            side.requireAlive();
            assertTrue(heard.isEmpty());
            exchange.resumeBody();
            assertEquals("body 60000", heard());
            Frame frame = side.frame();
            while (frame.type() == Frame.DATA) {
                frame = side.frame();
            }
            assertEquals(60_000, frame.number());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void cancelIsHeardAndTheHandlerEndsTheStream() throws Exception {
        ExchangeHandler handler = exchange -> exchange.listen(new Echo(exchange));
        try (LrwpPeer peer = aPeer(proxy, events).exchangeHandler(handler).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.begun(1, "POST", ""));
            side.answer(1);
            side.cancel(1, "gone");
            assertEquals("cancelled gone true", heard());
            side.expect(Frame.CANCEL, 1);
            assertEquals("done", heard());
            side.request(1, "POST", "");
            side.answer(1);
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void handlerThatFailsOrGivesUpEndsItsExchange() throws Exception {
        ExchangeHandler handler =
                exchange -> {
                    switch (exchange.request().method()) {
                        case "GET" -> throw new IllegalStateException("planned");
                        case "PUT" -> throw new RequestRefusedException("full");
                        default ->
                                exchange.listen(
                                        new ExchangeListener() {
                                            @Override
                                            public void onBodyEnd() {
                                                throw new IllegalStateException("planned");
                                            }
                                        });
                    }
                };
        try (LrwpPeer peer =
                        aPeer(proxy, events).exchangeHandler(handler).repeatable(true).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "GET", "");
            assertTrue(side.expect(Frame.RESPONSE, 1).text().contains("Status: 500"));
            side.request(1, "PUT", "");
            assertEquals("full", side.expect(Frame.REFUSED, 1).text());
            side.request(1, "POST", "");
            assertTrue(side.expect(Frame.RESPONSE, 1).text().contains("Status: 500"));
            events.next(PeerEvent.HandlerFailed.class);
            events.next(PeerEvent.HandlerFailed.class);
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void headThatIsTooLongForAFrameIs500AndItsPlaceIsFreeAgain() throws Exception {
        List<HeaderField> large = List.of(new HeaderField("X-Large", "a".repeat(70_000)));
        ExchangeHandler handler =
                exchange -> {
                    switch (exchange.request().method()) {
                        case "GET" -> exchange.answer(200, large, bytes("x"));
                        case "PUT" -> exchange.respond(200, large);
                        default -> exchange.answer(200, TEXT, bytes("fine"));
                    }
                };
        try (LrwpPeer peer = aPeer(proxy, events).exchangeHandler(handler).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            for (String method : List.of("GET", "PUT")) {
                side.request(1, method, "");
                Frame refusal = side.answer(1);
                assertTrue(refusal.text().contains("Status: 500"), refusal::text);
                assertTrue(refusal.isEnd());
                events.next(PeerEvent.HandlerFailed.class);
            }
            side.request(1, "POST", "");
            assertEquals("fine", side.answer(1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void lrwp1HasRoomForALongHead() throws Exception {
        List<HeaderField> large = List.of(new HeaderField("X-Large", "a".repeat(70_000)));
        ExchangeHandler handler = exchange -> exchange.answer(200, large, bytes("x"));
        try (LrwpPeer peer = aSerialPeer(proxy, events).exchangeHandler(handler).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("GET", ""));
            assertTrue(side.answer().contains("Status: 200"));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void partsOfAnAnswerHaveAnOrder() throws Exception {
        ExchangeHandler handler =
                exchange -> {
                    assertThrows(IllegalStateException.class, () -> exchange.write(bytes("x")));
                    assertThrows(IllegalStateException.class, exchange::complete);
                    assertThrows(IllegalArgumentException.class, () -> exchange.respond(100, TEXT));
                    exchange.answer(200, TEXT, bytes("fine"));
                    exchange.complete();
                    exchange.abort("too late");
                    heard.add("past");
                    throw new IllegalStateException("planned");
                };
        try (LrwpPeer peer = aPeer(proxy, events).exchangeHandler(handler).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "GET", "");
            assertEquals("past", heard());
            events.next(PeerEvent.HandlerFailed.class);
            side.expect(Frame.STARTED, 1);
            assertEquals("fine", side.expect(Frame.RESPONSE, 1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }
}
