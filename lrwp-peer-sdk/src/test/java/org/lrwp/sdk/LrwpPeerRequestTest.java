package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aSerialPeer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.MalformedFrameException;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

@Timeout(60)
final class LrwpPeerRequestTest {
    private final RecordedEvents events = new RecordedEvents();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    @Test
    void requestMayComeByteByByte() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).connect();
                ProxySide side = proxy.register("osp")) {
            side.wire().sendSingly(ProxySide.frame("POST", "slowly"));

            assertEquals("Content-Type: text/plain\r\nStatus: 200 OK\r\n\r\nslowly", side.answer());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void handlerSeesMethodPathQueryAndHeaders() throws Exception {
        RequestHandler describe =
                request ->
                        PeerResponse.text(
                                201,
                                String.join(
                                        " ",
                                        request.method(),
                                        request.pathInfo(),
                                        request.query(),
                                        request.header("x-one"),
                                        request.header("Content-Type"),
                                        request.variable("QUERY_STRING"),
                                        Long.toString(request.bodyLength())));
        try (LrwpPeer peer = aSerialPeer(proxy, events).handler(describe).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("PUT", "12"));

            assertEquals("PUT /sub a=1 1 text/x a=1 2", side.answerBody());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void requestsFollowOneAnotherOnOneConnection() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).connect();
                ProxySide side = proxy.register("osp")) {
            for (int i = 0; i < 50; i++) {
                side.send(ProxySide.frame("POST", "request " + i));
                assertEquals("request " + i, side.answerBody());
            }
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bigBodiesOfAnyBytesComeBackAsTheyWere() throws Exception {
        byte[] body = new byte[3_000_000];
        new Random(1).nextBytes(body);
        Arrays.fill(body, 0, 5_000, (byte) 0);
        try (LrwpPeer peer = aSerialPeer(proxy, events).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("POST", body));

            assertEquals(new String(body, StandardCharsets.ISO_8859_1), side.answerBody());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bodyCanBeReadByteByByteAndEnds() throws Exception {
        RequestHandler count =
                request -> {
                    InputStream body = request.body();
                    int bytes = 0;
                    int zeros = 0;
                    for (int c = body.read(); c >= 0; c = body.read()) {
                        bytes++;
                        zeros += c == 0 ? 1 : 0;
                    }
                    return PeerResponse.text(
                            200, bytes + " " + zeros + " " + body.read(new byte[4], 0, 4));
                };
        try (LrwpPeer peer = aSerialPeer(proxy, events).handler(count).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("POST", new byte[40_000]));

            assertEquals("40000 40000 -1", side.answerBody());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bodyThatNobodyReadDoesNotReachTheNextRequest() throws Exception {
        try (LrwpPeer peer =
                        aSerialPeer(proxy, events)
                                .handler(request -> PeerResponse.text(200, request.method()))
                                .connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("POST", new byte[100_000]));
            assertEquals("POST", side.answerBody());
            side.send(ProxySide.frame("GET", ""));
            assertEquals("GET", side.answerBody());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bodyCannotBeReadAfterTheHandlerHasReturned() throws Exception {
        AtomicReference<InputStream> kept = new AtomicReference<>();
        RequestHandler keep =
                request -> {
                    kept.set(request.body());
                    return PeerResponse.text(200, "kept");
                };
        try (LrwpPeer peer = aSerialPeer(proxy, events).handler(keep).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("POST", "body"));
            side.answer();

            assertThrows(IOException.class, () -> kept.get().read());
            assertEquals(0, kept.get().available());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void handlerThatThrowsAnswers500AndTheConnectionGoesOn() throws Exception {
        RequestHandler fragile =
                request -> {
                    switch (request.method()) {
                        case "GET" -> throw new IllegalStateException("planned");
                        case "PUT" -> throw new StackOverflowError("planned");
                        case "DELETE" -> Thread.currentThread().interrupt();
                        default -> {}
                    }
                    return PeerResponse.text(200, "fine");
                };
        try (LrwpPeer peer = aSerialPeer(proxy, events).handler(fragile).connect();
                ProxySide side = proxy.register("osp")) {
            for (String method : new String[] {"GET", "PUT"}) {
                side.send(ProxySide.frame(method, "unread"));
                assertEquals(
                        "Content-Type: text/plain; charset=utf-8\r\n"
                                + "Status: 500 Internal Server Error\r\n\r\ninternal error",
                        side.answer());
                assertEquals(
                        "planned", events.next(PeerEvent.HandlerFailed.class).cause().getMessage());
            }
            side.send(ProxySide.frame("DELETE", ""));
            assertEquals("fine", side.answerBody());
            side.send(ProxySide.frame("POST", ""));
            assertEquals("fine", side.answerBody());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    @SuppressWarnings("NullAway") // What a handler without null checks may do.
    void handlerWithoutAnswerAnswers500() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).handler(request -> null).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("GET", ""));

            assertEquals("internal error", side.answerBody());
            assertInstanceOf(
                    NullPointerException.class, events.next(PeerEvent.HandlerFailed.class).cause());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void listenerThatThrowsDoesNoHarm() throws Exception {
        PeerListener broken =
                event -> {
                    throw new IllegalStateException("planned");
                };
        try (LrwpPeer peer = aSerialPeer(proxy, broken).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("POST", "still"));

            assertEquals("still", side.answerBody());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bodyAboveTheLimitIs413AndTheConnectionGoesOn() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).maxBody(10).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("POST", "01234567890"));
            assertTrue(side.answer().contains("Status: 413 Content Too Large"));
            side.send(ProxySide.frame("POST", "0123456789"));
            assertEquals("0123456789", side.answerBody());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void brokenLengthEndsTheConnection() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(" 00000010");

            side.expectEnd();
            assertInstanceOf(
                    MalformedFrameException.class, events.next(PeerEvent.Lost.class).cause());
            proxy.register("osp").close();
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void envBlockAboveTheLimitEndsTheConnection() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).maxEnvironment(10).connect();
                ProxySide side = proxy.register("osp")) {
            side.send("000000011");

            side.expectEnd();
            assertInstanceOf(
                    MalformedFrameException.class, events.next(PeerEvent.Lost.class).cause());
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void connectionThatEndsWithinARequestIsLostAndNoFaultOfTheHandler() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).connect()) {
            byte[] frame = ProxySide.frame("POST", "0123456789");
            for (int cut : new int[] {20, frame.length - 3}) {
                try (ProxySide side = proxy.register("osp")) {
                    events.next(PeerEvent.Registered.class);
                    side.send(Arrays.copyOf(frame, cut));
                }
                PeerEvent.Lost lost = assertInstanceOf(PeerEvent.Lost.class, events.any());
                assertInstanceOf(EOFException.class, lost.cause());
            }
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void proxyThatStallsWithinARequestIsLost() throws Exception {
        Duration long_ = Duration.ofSeconds(10);
        PeerTimes times = PeerFixture.QUICK.withWaits(long_, long_, Duration.ofMillis(20));
        try (LrwpPeer peer = aSerialPeer(proxy, events).times(times).connect();
                ProxySide side = proxy.register("osp")) {
            side.send("0000");

            side.expectEnd();
            assertInstanceOf(
                    SocketTimeoutException.class, events.next(PeerEvent.Lost.class).cause());
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void proxyThatDoesNotTakeAnAnswerIsLost() throws Exception {
        Duration long_ = Duration.ofSeconds(10);
        PeerTimes times = PeerFixture.QUICK.withWaits(long_, long_, Duration.ofMillis(200));
        RequestHandler huge = request -> PeerResponse.of("a/b", new byte[50_000_000]);
        try (LrwpPeer peer = aSerialPeer(proxy, events).handler(huge).times(times).connect();
                ProxySide side = proxy.register("osp")) {
            side.send(ProxySide.frame("GET", ""));

            events.next(PeerEvent.Lost.class);
            assertTrue(peer.registeredConnections() <= 1);
        }
    }
}
