package org.lrwp.engine.peer.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.testkit.TestModule;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestRefusedException;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/** What a module does wrong costs its own request only. */
class LocalPeerFaultTest {
    private static final Duration BIT = Duration.ofMillis(60);

    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();
    private final TestModule module = new TestModule(engine, work, 2);

    private Exchange give(String method, String body) {
        Exchange exchange = engine.submit(method, body, context, client);
        module.give(exchange);
        return exchange;
    }

    private static ByteBuffer bytes(String text) {
        return TestEngine.bytes(text);
    }

    @Test
    void aHandlerThatThrowsCosts500() {
        module.handles(
                exchange -> {
                    throw new IllegalStateException("a test");
                });
        give("GET", "");
        assertEquals(500, client.head().status());
        assertEquals("internal error", client.read());
        assertEquals(2, module.connection().free());
    }

    @Test
    void aHandlerThatThrowsWithinItsAnswerHasItsClientCut() {
        module.handles(
                exchange -> {
                    module.listen(exchange);
                    exchange.respond(200, TestModule.PLAIN);
                    exchange.write(bytes("half"));
                    throw new IllegalStateException("a test");
                });
        give("GET", "");
        assertEquals("half", client.read());
        assertEquals(BodyEnding.BROKEN, client.ending());
        assertEquals(List.of("peer-cancelled"), engine.reasons());
        assertEquals(2, module.connection().free());
    }

    @Test
    void whatIsThrownBehindTheAnswerHasNoEffectOnIt() {
        module.handles(
                exchange -> {
                    exchange.answer(200, TestModule.PLAIN, bytes("whole"));
                    throw new IllegalStateException("a test");
                });
        give("GET", "");
        assertEquals("whole", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
    }

    @Test
    void aSecondAnswerIsRefusedAndTheFirstOneStays() {
        give("GET", "");
        PeerExchange exchange = module.exchange();
        exchange.respond(200, TestModule.PLAIN);
        assertThrows(
                IllegalStateException.class,
                () -> exchange.answer(404, TestModule.PLAIN, bytes("second")));
        exchange.write(bytes("first"));
        exchange.complete();
        assertEquals(200, client.head().status());
        assertEquals("first", client.read());
    }

    @Test
    void aModuleThatNeverAnswersCosts504AndIsShownAsStuck() {
        give("GET", "");
        engine.pass(TestEngine.RESPONSE_TIME.minus(BIT));
        assertFalse(client.isAnswered());
        engine.pass(BIT.multipliedBy(2));
        assertEquals(Failure.PEER_TIMEOUT, client.failure());
        assertEquals(List.of("body end", "cancelled no answer in time"), module.events());
        assertTrue(module.exchange().isCancelled());
        assertEquals(1, module.connection().status().stuck().size());
        assertEquals(1, module.connection().free());

        module.exchange().answer(200, TestModule.PLAIN, bytes("too late"));
        assertEquals(2, module.connection().free());
        assertEquals(List.of(), module.connection().status().stuck());
        assertEquals(List.of("done"), module.events());
    }

    @Test
    void aModuleThatFallsSilentWithinItsAnswerHasItsClientCut() {
        give("GET", "");
        module.exchange().respond(200, TestModule.PLAIN);
        module.exchange().write(bytes("half"));
        assertEquals("half", client.read());
        engine.pass(TestEngine.RESPONSE_TIME.plus(BIT));
        assertEquals(BodyEnding.BROKEN, client.ending());
        assertEquals(List.of("peer-timeout"), engine.reasons());
    }

    @Test
    void aSlowClientIsNotTheModulesFault() {
        give("GET", "");
        module.exchange().respond(200, TestModule.PLAIN);
        module.exchange().write(ByteBuffer.allocate(200_000));
        engine.pass(TestEngine.RESPONSE_TIME.multipliedBy(3));
        assertEquals(BodyEnding.OPEN, client.ending());
        assertEquals(200_000, client.read().length());
        engine.pass(TestEngine.RESPONSE_TIME.plus(BIT));
        assertEquals(BodyEnding.BROKEN, client.ending());
    }

    @Test
    void aModuleThatDoesNotTakeTheBodyHasTheSendTime() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().expect(100_000);
        module.give(exchange);
        module.exchange().pauseBody();
        exchange.body().receive(bytes("x".repeat(40_000)));
        engine.pass(TestEngine.SEND_TIME.minus(BIT));
        assertFalse(client.isAnswered());
        engine.pass(BIT.multipliedBy(3));
        assertEquals(Failure.PEER_STALLED, client.failure());
    }

    @Test
    void aClientThatLeavesIsToldAndOnlyTheModulesEndFreesTheSlot() {
        Exchange exchange = give("GET", "");
        exchange.clientGone(Failure.CLIENT_GONE);
        assertEquals(List.of("body end", "cancelled the request has ended"), module.events());
        assertEquals(1, module.connection().free());
        assertTrue(module.exchange().write(bytes("dropped")));
        module.exchange().complete();
        assertEquals(2, module.connection().free());
        assertEquals(List.of("done"), module.events());
    }

    @Test
    void aClientThatLeavesAfterTheModulesLastWordFreesTheSlotAtOnce() {
        Exchange exchange = give("GET", "");
        module.exchange().answer(200, TestModule.PLAIN, ByteBuffer.allocate(500_000));
        assertEquals(1, module.connection().free());
        exchange.clientGone(Failure.CLIENT_STALLED);
        assertEquals(2, module.connection().free());
        assertEquals(List.of("body end", "done"), module.events());
    }

    @Test
    void aModuleThatGivesUpCosts502() {
        give("GET", "");
        module.exchange().abort("no more");
        module.exchange().abort("twice");
        assertEquals(Failure.PEER_CANCELLED, client.failure());
        assertEquals(2, module.connection().free());
        assertEquals(List.of("body end", "done"), module.events());
    }

    @Test
    void aRefusedRequestLooksForAnotherPeer() {
        module.handles(
                exchange -> {
                    throw new RequestRefusedException("not now");
                });
        Exchange exchange = give("POST", "body");
        assertEquals(ExchangeState.QUEUED, exchange.state());
        assertTrue(exchange.tries().isRefusedBy(module.connection()));
        assertEquals(2, module.connection().free());
        assertTrue(context.calls().contains("resubmit"));
    }

    @Test
    void anAnswerShorterThanAnnouncedBreaksOffAndALongerOneIsCut() {
        give("GET", "");
        module.exchange().respond(200, List.of(new HeaderField("Content-Length", "5")));
        module.exchange().write(bytes("abc"));
        module.exchange().complete();
        assertEquals("abc", client.read());
        assertEquals(BodyEnding.BROKEN, client.ending());
        assertEquals(List.of("short-answer"), engine.reasons());

        var other = new RecordingClient();
        module.give(engine.submit("GET", "", context, other));
        module.exchange().respond(200, List.of(new HeaderField("Content-Length", "5")));
        module.exchange().write(bytes("abcdefgh"));
        module.exchange().write(bytes("ijk"));
        module.exchange().complete();
        assertEquals("abcde", other.read());
        assertEquals(BodyEnding.COMPLETE, other.ending());
    }

    @Test
    void aListenerThatThrowsEndsItsExchange() {
        module.handles(
                exchange ->
                        exchange.listen(
                                new org.lrwp.sdk.ExchangeListener() {
                                    @Override
                                    public void onBodyEnd() {
                                        throw new IllegalStateException("a test");
                                    }
                                }));
        give("POST", "body");
        assertEquals(500, client.head().status());
    }

    @Test
    void drainingEndsWithTheLastAnswerAndTheModuleIsTold() {
        give("GET", "");
        module.events();
        module.connection().drain();
        module.connection().drain();
        assertEquals(List.of("drain"), module.events());
        assertNull(module.connection().claim());
        assertEquals("draining", module.connection().status().state());
        module.exchange().answer(503, TestModule.PLAIN, bytes("later"));
        assertEquals("closed", module.connection().status().state());
        assertEquals(List.of("free", "leaving", "gone"), work.calls());
        assertEquals("later", client.read());
    }

    @Test
    void closingFailsWhatIsOpenAndAnIdempotentRequestMoves() {
        Exchange get = give("GET", "");
        var other = new RecordingClient();
        module.give(engine.submit("POST", "body", context, other));
        module.connection().close("a test");
        assertEquals(ExchangeState.QUEUED, get.state());
        assertEquals(Failure.PEER_GONE, other.failure());
        assertEquals(List.of("free", "leaving", "gone"), work.calls());
        assertTrue(module.events().contains("cancelled the peer is closed"));
        assertEquals("closed", module.connection().status().state());
    }

    @Test
    void aRequestThatIsOverBeforeItsSlotIsUsedLeavesTheSlotFree() {
        Exchange exchange = engine.submit("GET", "", context, client);
        exchange.clientGone(Failure.CLIENT_GONE);
        PeerSlot slot = module.connection().claim();
        assertTrue(slot != null && !slot.send(exchange));
        assertEquals(1, module.connection().free());
        if (slot != null) {
            slot.release();
        }
        assertEquals(2, module.connection().free());
    }
}
