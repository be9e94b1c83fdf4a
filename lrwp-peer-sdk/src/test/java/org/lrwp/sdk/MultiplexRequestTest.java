package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aPeer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.testkit.wire.Frame;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

            Frame answer = side.answer(1);
            assertTrue(answer.isEnd());
            assertEquals("Content-Type: text/plain\r\nStatus: 200 OK\r\n\r\nwhole", answer.text());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void framesMayComeByteByByte() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.wire().sendSingly(FrameSide.begun(1, "POST", "slow").bytes());
            side.wire().sendSingly(Frame.of(Frame.DATA, 1, "ly").ending().bytes());

            assertEquals("slowly", side.answer(1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void answersComeInAnyOrderAndSlotsAreUsedAgain() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).concurrency(2).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            for (int i = 0; i < 20; i++) {
                side.request(2, "GET", "");
                assertEquals("GET", side.answer(2).body());
            }
            held.release();
            assertEquals("HOLD", side.expect(Frame.RESPONSE, 1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void whatTwoProxiesSendBeyondTheConcurrencyWaitsAndIsNotStarted() throws Exception {
        try (ScriptedProxy other = ScriptedProxy.start();
                LrwpPeer peer =
                        aPeer(proxy, events).proxy(other.address()).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy);
                FrameSide second = FrameSide.accept(other)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            second.request(1, "GET", "");
            second.requireAlive();
            second.cancel(1, "gone");
            second.expect(Frame.CANCEL, 1);
            second.request(1, "PUT", "");
            second.requireAlive();

            held.release();
            assertEquals("HOLD", side.expect(Frame.RESPONSE, 1).body());
            assertEquals("PUT", second.answer(1).body());
            side.request(1, "GET", "");
            assertEquals("GET", side.answer(1).body());
            assertEquals(2, peer.registeredConnections());
        }
    }

    @Test
    void pauseRefusesWhatHasNotBeenStarted() throws Exception {
        try (ScriptedProxy other = ScriptedProxy.start();
                LrwpPeer peer =
                        aPeer(proxy, events).proxy(other.address()).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy);
                FrameSide second = FrameSide.accept(other)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            second.request(1, "GET", "");
            second.requireAlive();

            peer.concurrency(0);
            assertEquals(
                    Set.of(Frame.REFUSED, Frame.CAPACITY),
                    new HashSet<>(List.of(second.frame().type(), second.frame().type())));
            held.release();
            side.expect(Frame.CAPACITY, 0);
            assertEquals("HOLD", side.expect(Frame.RESPONSE, 1).body());
        }
    }

    @Test
    void pingIsAnsweredWhileHandlersRun() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            side.ping("abcdefgh");

            assertEquals("abcdefgh", side.expect(Frame.PONG, 0).text());
            held.release();
            side.expect(Frame.RESPONSE, 1);
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
            side.expect(Frame.STARTED, 1);
            Frame head = side.expect(Frame.RESPONSE, 1);
            assertTrue(head.text().contains("Content-Length: 100000\r\n"));
            assertFalse(head.isEnd());
            int bytes = head.body().length();
            bytes += side.expect(Frame.DATA, 1).text().length();
            assertEquals(20_000, bytes);

            // Another stream is not held up.
            side.request(2, "GET", "");
            side.expect(Frame.STARTED, 2);
            int other = side.expect(Frame.RESPONSE, 2).body().length();
            assertEquals(20_000, other + side.expect(Frame.DATA, 2).text().length());

            side.window(1, 80_000);
            Frame frame = side.expect(Frame.DATA, 1);
            while (!frame.isEnd()) {
                assertTrue(frame.text().length() <= 16_384);
                bytes += frame.text().length();
                frame = side.expect(Frame.DATA, 1);
            }
            assertEquals(100_000, bytes + frame.text().length());
            side.cancel(2, "gone");
            side.expect(Frame.CANCEL, 2);
            side.requireAlive();
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void bodyIsGrantedAsItIsRead() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).stream(true).window(65_536).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.begun(1, "POST", "a".repeat(65_536)));
            side.expect(Frame.STARTED, 1);
            side.window(1, 100_000);
            long granted = side.expect(Frame.WINDOW, 1).number();
            assertTrue(granted >= 16_001 && granted <= 65_536, () -> "granted " + granted);
            side.data(1, "b".repeat(16_000));
            side.lastData(1, "c");

            StringBuilder body = new StringBuilder();
            Frame frame = side.frame();
            while (!frame.isEnd()) {
                body.append(bytes(frame));
                frame = side.frame();
            }
            body.append(bytes(frame));
            assertEquals("a".repeat(65_536) + "b".repeat(16_000) + "c", body.toString());
            assertEquals(1, peer.registeredConnections());
        }
    }

    private static String bytes(Frame frame) {
        return switch (frame.type()) {
            case Frame.RESPONSE -> frame.body();
            case Frame.DATA -> frame.text();
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
        try (LrwpPeer peer = aPeer(proxy, events).maxBody(8).handler(handler).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.begun(1, "POST", "abc"));
            side.lastData(1, "");
            assertEquals("-1 3", side.answer(1).body());

            side.send(
                    FrameSide.begun(
                            1, Map.of("REQUEST_METHOD", "POST", "CONTENT_LENGTH", "5"), "ab"));
            side.lastData(1, "cde");
            assertEquals("5 5", side.answer(1).body());

            side.send(FrameSide.begun(1, "POST", "123456789"));
            assertTrue(side.answer(1).text().contains("Status: 413"));
            side.cancel(1, "gone");
            side.request(1, "POST", "123456789");
            assertTrue(side.expect(Frame.RESPONSE, 1).text().contains("Status: 413"));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void writerThatReadsMoreThanThePeersLimitIs413() throws Exception {
        RequestHandler handler =
                request -> PeerResponse.streamed("a/b", out -> request.body().transferTo(out));
        try (LrwpPeer peer = aPeer(proxy, events).maxBody(8).handler(handler).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.begun(1, "POST", "123456789"));
            assertTrue(side.answer(1).text().contains("Status: 413"));
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
            side.send(FrameSide.begun(1, "EARLY", "old".repeat(10_000)));
            assertEquals("early", side.answer(1).body());
            side.data(1, "old".repeat(5_000));
            side.window(1, 10);
            side.cancel(1, "gone");

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
            Frame second = side.expect(Frame.DATA, 1);
            assertEquals("data: two\n\n", second.text());
            assertFalse(second.isEnd());
            steps[1].countDown();
            Frame last = side.expect(Frame.DATA, 1);
            assertEquals(".true", last.text() + last.isEnd());
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
            assertEquals(5, side.expect(Frame.DATA, 1).text().length());
            side.cancel(1, "gone");
            failed.await();
            side.expect(Frame.CANCEL, 1);
            side.requireAlive();
            assertEquals(1, peer.registeredConnections());
        }
    }
}
