package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aPeer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.ProxySettings;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** How requests are answered over LRWP 3, by a proxy played by the test. */
@Timeout(60)
final class MultiplexRequestTest {
    private final RecordedEvents events = new RecordedEvents();
    private final HeldHandler held = new HeldHandler();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    @Test
    void completeAnswerIsOneFrame() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "POST", "whole");

            FrameSide.Frame answer = side.answer(1);
            assertTrue(answer.end());
            assertEquals("Content-Type: text/plain\r\nStatus: 200 OK\r\n\r\nwhole", answer.text());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void framesMayComeOctetByOctet() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.octets().sendSingly(FrameSide.request(1, "POST", "slow", false));
            side.octets()
                    .sendSingly(
                            FrameSide.frame(FrameType.DATA, true, 1, "ly".getBytes(ISO_8859_1)));

            assertEquals("slowly", side.answer(1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void answersComeInAnyOrderAndSlotsAreUsedAgain() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).concurrency(2).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.next(FrameType.STARTED, 1);
            for (int i = 0; i < 20; i++) {
                side.request(2, "GET", "");
                assertEquals("GET", side.answer(2).body());
            }
            held.release();
            assertEquals("HOLD", side.next(FrameType.RESPONSE, 1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void pingIsAnsweredWhileHandlersRun() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.next(FrameType.STARTED, 1);
            side.send(Frames.ping(0x0102030405060708L));

            assertEquals(
                    0x0102030405060708L, Frames.opaque(side.next(FrameType.PONG, 0).payload()));
            held.release();
            side.next(FrameType.RESPONSE, 1);
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void longAnswersAreCutAndWaitForTheirWindowAloneAndTakeTurns() throws Exception {
        RequestHandler handler =
                request -> PeerResponse.of("a/b", "x".repeat(100_000).getBytes(ISO_8859_1));
        ProxySettings small = new ProxySettings("test", 65_536, 20_000, 0, 1);
        try (LrwpPeer peer = aPeer(proxy, events).concurrency(2).handler(handler).connect();
                FrameSide side = FrameSide.accept(proxy, small)) {
            side.request(1, "GET", "");
            side.next(FrameType.STARTED, 1);
            FrameSide.Frame head = side.next(FrameType.RESPONSE, 1);
            assertTrue(head.text().contains("Content-Length: 100000\r\n"));
            assertFalse(head.end());
            int octets = head.body().length();
            octets += side.next(FrameType.DATA, 1).text().length();
            assertEquals(20_000, octets);

            // Another stream is not held up.
            side.request(2, "GET", "");
            side.next(FrameType.STARTED, 2);
            int other = side.next(FrameType.RESPONSE, 2).body().length();
            assertEquals(20_000, other + side.next(FrameType.DATA, 2).text().length());

            side.window(1, 80_000);
            FrameSide.Frame frame = side.next(FrameType.DATA, 1);
            while (!frame.end()) {
                assertTrue(frame.text().length() <= 16_384);
                octets += frame.text().length();
                frame = side.next(FrameType.DATA, 1);
            }
            assertEquals(100_000, octets + frame.text().length());
            side.cancel(2);
            side.next(FrameType.CANCEL, 2);
            side.settle();
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bodyIsGrantedAsItIsRead() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).streamedRequests().connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.request(1, "POST", "a".repeat(65_536), false));
            side.next(FrameType.STARTED, 1);
            side.window(1, 100_000);
            long granted = Frames.credit(side.next(FrameType.WINDOW, 1).payload());
            assertTrue(granted >= 16_001 && granted <= 65_536, () -> "granted " + granted);
            side.data(1, "b".repeat(16_000), false);
            side.data(1, "c", true);

            StringBuilder body = new StringBuilder();
            FrameSide.Frame frame = side.next();
            while (!frame.end()) {
                body.append(octets(frame));
                frame = side.next();
            }
            body.append(octets(frame));
            assertEquals("a".repeat(65_536) + "b".repeat(16_000) + "c", body.toString());
            assertEquals(1, peer.registeredConnections());
        }
    }

    private static String octets(FrameSide.Frame frame) {
        return switch (frame.type()) {
            case RESPONSE -> frame.body();
            case DATA -> frame.text();
            default -> "";
        };
    }

    @Test
    void lengthOfAStreamedBodyMayBeUnknown() throws Exception {
        RequestHandler handler =
                request ->
                        PeerResponse.text(
                                200,
                                request.bodyLength() + " " + request.body().readAllBytes().length);
        try (LrwpPeer peer = aPeer(proxy, events).bodyLimit(8).handler(handler).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.request(1, "POST", "abc", false));
            side.data(1, "", true);
            assertEquals("-1 3", side.answer(1).body());

            side.send(
                    FrameSide.request(
                            1,
                            Map.of("REQUEST_METHOD", "POST", "CONTENT_LENGTH", "5"),
                            "ab",
                            false));
            side.data(1, "cde", true);
            assertEquals("5 5", side.answer(1).body());

            side.send(FrameSide.request(1, "POST", "123456789", false));
            assertTrue(side.answer(1).text().contains("Status: 413"));
            side.cancel(1);
            side.request(1, "POST", "123456789");
            assertTrue(side.next(FrameType.RESPONSE, 1).text().contains("Status: 413"));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void earlyAnswerEndsTheStreamAndNothingOfItReachesTheNext() throws Exception {
        RequestHandler early =
                request ->
                        request.method().equals("EARLY")
                                ? PeerResponse.text(200, "early")
                                : PeerFixture.echo(request);
        try (LrwpPeer peer = aPeer(proxy, events).handler(early).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.request(1, "EARLY", "old".repeat(10_000), false));
            assertEquals("early", side.answer(1).body());
            side.data(1, "old".repeat(5_000), false);
            side.window(1, 10);
            side.cancel(1);

            side.request(1, "POST", "new");
            assertEquals("new", side.answer(1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void eachFlushIsOnItsWayAtOnce() throws Exception {
        CountDownLatch[] steps = {new CountDownLatch(1), new CountDownLatch(1)};
        RequestHandler streaming =
                request ->
                        PeerResponse.streamed(
                                "text/event-stream",
                                out -> {
                                    out.write("data: one\n\n".getBytes(ISO_8859_1));
                                    out.flush();
                                    steps[0].await();
                                    out.write("data: two\n\n".getBytes(ISO_8859_1));
                                    out.flush();
                                    steps[1].await();
                                    out.write('.');
                                });
        try (LrwpPeer peer = aPeer(proxy, events).handler(streaming).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "GET", "");
            assertEquals("data: one\n\n", side.answer(1).body());
            steps[0].countDown();
            FrameSide.Frame second = side.next(FrameType.DATA, 1);
            assertEquals("data: two\n\n", second.text());
            assertFalse(second.end());
            steps[1].countDown();
            FrameSide.Frame last = side.next(FrameType.DATA, 1);
            assertEquals(".true", last.text() + last.end());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void streamedAnswerWaitsForTheProxyAndStopsAtCancel() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        RequestHandler endless =
                request ->
                        PeerResponse.streamed(
                                "a/b",
                                out -> {
                                    try {
                                        while (true) {
                                            out.write(new byte[10_000]);
                                        }
                                    } catch (IOException e) {
                                        failed.countDown();
                                        throw e;
                                    }
                                });
        ProxySettings none = new ProxySettings("test", 65_536, 0, 0, 1);
        try (LrwpPeer peer = aPeer(proxy, events).handler(endless).connect();
                FrameSide side = FrameSide.accept(proxy, none)) {
            side.request(1, "GET", "");
            assertEquals("", side.answer(1).body());
            side.window(1, 5);
            assertEquals(5, side.next(FrameType.DATA, 1).text().length());
            side.cancel(1);
            failed.await();
            side.next(FrameType.CANCEL, 1);
            side.settle();
            assertEquals(1, peer.registeredConnections());
        }
    }
}
