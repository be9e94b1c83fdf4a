package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aPeer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.testkit.wire.Frame;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What is cancelled, refused or wrong over LRWP 3, by a proxy played by the test. */
@Timeout(60)
final class MultiplexFaultTest {
    private final RecordedEvents events = new RecordedEvents();
    private final HeldHandler held = new HeldHandler();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    @Test
    void windowThatGrowsTooLargeIsAnError() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            held.awaitEntered();
            side.window(1, 4_294_967_295L);

            assertTrue(side.expect(Frame.ERROR, 0).text().contains("4294967295"));
            held.awaitInterrupted();
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void cancelInterruptsTheHandlerWhoseAnswerEndsTheStream() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            held.awaitEntered();
            side.cancel(1, "gone");

            held.awaitInterrupted();
            side.expect(Frame.CANCEL, 1);
            side.request(1, "GET", "");
            assertEquals("GET", side.answer(1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void cancelEndsTheReadingOfABody() throws Exception {
        LinkedBlockingQueue<String> failures = new LinkedBlockingQueue<>();
        CountDownLatch entered = new CountDownLatch(1);
        RequestHandler reading =
                request -> {
                    entered.countDown();
                    try {
                        return PeerFixture.echo(request);
                    } catch (IOException e) {
                        failures.add(e.getClass() + " " + request.cancelled());
                        throw e;
                    }
                };
        try (LrwpPeer peer = aPeer(proxy, events).handler(reading).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(FrameSide.begun(1, "POST", "begun"));
            side.expect(Frame.STARTED, 1);
            entered.await();
            side.cancel(1, "gone");

            assertTrue(failures.take().endsWith("true"));
            side.expect(Frame.CANCEL, 1);
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void endOfTheConnectionCancelsItsRequests() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).handler(held).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "HOLD", "");
            side.expect(Frame.STARTED, 1);
            held.awaitEntered();
            side.hangUp();

            held.awaitInterrupted();
            events.next(PeerEvent.Lost.class);
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void handlerThatFailsAnswers500OrCutsTheAnswer() throws Exception {
        RequestHandler fragile =
                request ->
                        switch (request.method()) {
                            case "GET" -> throw new IllegalStateException("planned");
                            case "LATE" ->
                                    PeerResponse.streamed(
                                            "a/b",
                                            out -> {
                                                out.flush();
                                                throw new IllegalStateException("planned");
                                            });
                            default ->
                                    PeerResponse.streamed(
                                            "a/b",
                                            out -> {
                                                out.write(1);
                                                throw new IllegalStateException("planned");
                                            });
                        };
        try (LrwpPeer peer = aPeer(proxy, events).handler(fragile).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "GET", "");
            assertTrue(side.answer(1).text().contains("Status: 500"));
            side.request(1, "EARLY", "");
            assertTrue(side.answer(1).text().contains("Status: 500"));
            side.request(1, "LATE", "");
            side.expect(Frame.STARTED, 1);
            // The head may or may not be written before the failure takes it back.
            Frame frame = side.frame();
            if (frame.type() == Frame.RESPONSE) {
                frame = side.frame();
            }
            assertEquals(Frame.CANCEL, frame.type());
            for (int i = 0; i < 3; i++) {
                events.next(PeerEvent.HandlerFailed.class);
            }
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void refusedRequestIsNotStarted() throws Exception {
        AtomicInteger entered = new AtomicInteger();
        RequestHandler counting =
                request -> {
                    entered.incrementAndGet();
                    return PeerResponse.text(200, request.method());
                };
        Admission admission =
                head ->
                        switch (head.method()) {
                            case "PUT" -> "full";
                            case "DELETE" -> throw new IllegalStateException("planned");
                            default -> null;
                        };
        try (LrwpPeer peer = aPeer(proxy, events).admit(admission).handler(counting).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "PUT", "");
            assertEquals("full", side.expect(Frame.REFUSED, 1).text());
            assertEquals(0, entered.get());
            side.request(1, "GET", "");
            assertEquals("GET", side.answer(1).body());
            side.request(1, "DELETE", "");
            assertEquals("DELETE", side.answer(1).body());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void handlerThatRefusesIsRefusedUnlessTheProxyWasToldOfItsStart(boolean told) throws Exception {
        RequestHandler refusing =
                request -> {
                    throw new RequestRefusedException("full");
                };
        try (LrwpPeer peer = aPeer(proxy, events).repeatable(!told).handler(refusing).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.request(1, "GET", "");
            if (told) {
                String answer = side.answer(1).text();
                assertTrue(answer.contains("Status: 503") && answer.contains("Retry-After"));
            } else {
                assertEquals("full", side.expect(Frame.REFUSED, 1).text());
            }
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void requestsThatCrossASmallerCapacityAreRefused() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).concurrency(2).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            peer.concurrency(0);
            assertEquals(0, side.expect(Frame.CAPACITY, 0).number());
            side.request(2, "POST", "crossed");
            side.expect(Frame.REFUSED, 2);
            peer.concurrency(3);
            assertEquals(3, side.expect(Frame.CAPACITY, 0).number());
            side.request(3, "POST", "more");
            assertEquals("more", side.answer(3).body());
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "SETTINGS",
                "REGISTER",
                "UNREGISTER",
                "RESPONSE",
                "STARTED",
                "REFUSED",
                "CAPACITY",
                "DATA",
                "CANCEL"
            })
    void frameThatCannotComeIsAnError(FrameType type) throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(Frame.of(type.code(), 9));

            side.expectError(events);
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void requestOnAnOpenOrUnknownStreamAndBodyBeyondItsWindowAreErrors() throws Exception {
        Frame[][] faults = {
            {FrameSide.begun(1, "HOLD", ""), FrameSide.begun(1, "HOLD", "")},
            {FrameSide.begun(2, "GET", "").ending()},
            {FrameSide.begun(0, "GET", "").ending()},
            {FrameSide.begun(1, "POST", "x".repeat(65_537))}
        };
        try (LrwpPeer peer = aPeer(proxy, events).window(65_536).handler(held).connect()) {
            for (Frame[] fault : faults) {
                try (FrameSide side = FrameSide.accept(proxy)) {
                    side.send(fault);
                    Frame frame = side.frame();
                    while (frame.type() == Frame.STARTED) {
                        frame = side.frame();
                    }
                    assertEquals(Frame.ERROR, frame.type());
                    side.expectEnd();
                }
            }
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void errorOfTheProxyIsReported() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.send(Frame.of(Frame.ERROR, 0, "rule 4"));

            side.expectEnd();
            String cause = String.valueOf(events.next(PeerEvent.Lost.class).cause().getMessage());
            assertTrue(cause.contains("rule 4"));
            assertTrue(peer.registeredConnections() <= 1);
        }
    }
}
