package org.lrwp.engine.peer.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.testkit.TestModule;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Requests and answers of a module in the proxy. */
class LocalPeerTest {
    private static final int ROOM = 65_536;

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

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    private static List<HeaderField> withLength(long length) {
        return List.of(
                new HeaderField("Content-Type", "text/plain"),
                new HeaderField("Content-Length", Long.toString(length)));
    }

    @Test
    void aWholeAnswerIsGivenAndTheSlotIsFree() {
        Exchange exchange = give("GET", "");
        module.exchange().answer(201, TestModule.PLAIN, TestEngine.bytes("hello"));

        assertEquals(201, client.head().status());
        assertEquals(5, client.head().contentLength());
        assertEquals(TestModule.PLAIN, client.head().fields());
        assertEquals("hello", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
        assertEquals(2, module.connection().free());
        assertEquals(List.of("body end"), module.events());

        exchange.delivered();
        assertEquals(List.of("done"), module.events());
        assertEquals(List.of("answered"), engine.reasons());
        assertEquals(List.of("free", "free"), work.calls());
    }

    @Test
    void theRequestIsTheEnvBlockOfTheProxy() {
        give("GET", "");
        assertEquals("r1", module.exchange().request().variable("ID"));
        module.exchange().respond(200, withLength(4));
        assertEquals("r1", module.exchange().request().variable("ID"));
    }

    @Test
    void aBufferOfTheModulePassesWithoutACopyAndIsFreeAfterTheDelivery() {
        byte[] own = {'a', 'b', 'c'};
        var polled = new java.util.ArrayList<ByteBuffer>();
        Exchange exchange =
                engine.submit(
                        "GET",
                        "",
                        context,
                        new org.lrwp.engine.exchange.Client() {
                            @Override
                            public void answer(
                                    org.lrwp.engine.exchange.AnswerHead head, Spool body) {
                                ByteBuffer next = body.poll();
                                if (next != null) {
                                    polled.add(next);
                                }
                            }

                            @Override
                            public void fail(Failure failure) {}
                        });
        module.give(exchange);
        module.exchange().answer(200, TestModule.PLAIN, ByteBuffer.wrap(own));

        assertSame(own, polled.getFirst().array());
        assertFalse(module.events().contains("done"));
        exchange.delivered();
        assertTrue(module.events().contains("done"));
    }

    @Test
    void aDirectBufferIsCopiedForTheContainer() {
        give("GET", "");
        ByteBuffer direct = ByteBuffer.allocateDirect(3).put(new byte[] {'x', 'y', 'z'}).flip();
        module.exchange().answer(200, TestModule.PLAIN, direct.asReadOnlyBuffer());
        assertEquals("xyz", client.read());
    }

    @Test
    void headAndFirstBytesGoOutTogetherAndTheRestAsItComes() {
        give("GET", "");
        PeerExchange exchange = module.exchange();
        exchange.respond(200, withLength(4));
        assertFalse(client.isAnswered());
        exchange.write(TestEngine.bytes("ab"));
        assertEquals("ab", client.read());
        exchange.write(TestEngine.bytes("cd"));
        exchange.complete();
        assertEquals("abcd", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
    }

    @Test
    void aHeadWhoseBytesTakeTheirTimeGoesOutAfterTheStartDelay() {
        give("GET", "");
        module.exchange().respond(200, withLength(4));
        engine.pass(TestEngine.START_DELAY);
        assertEquals(4, client.head().contentLength());
    }

    @Test
    void aHeadOfAHandlerThatWritesLaterGoesOutAfterTheStartDelay() {
        module.handles(one -> one.respond(200, withLength(4)));
        give("GET", "");
        assertFalse(client.isAnswered());
        engine.pass(TestEngine.START_DELAY);
        assertEquals(4, client.head().contentLength());
    }

    @Test
    @Timeout(20)
    void aHeadGoesOutAfterTheStartDelayWhileItsHandlerBlocks() throws InterruptedException {
        var responded = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var blocking =
                new TestModule(engine, work, 1, false)
                        .handles(
                                one -> {
                                    one.respond(200, withLength(4));
                                    responded.countDown();
                                    end.await();
                                });
        blocking.give(engine.submit("GET", "", context, client));
        responded.await();
        engine.pass(TestEngine.START_DELAY);
        assertEquals(4, client.head().contentLength());
        end.countDown();
    }

    @Test
    void aHandlerThatWritesAtOnceNeedsNoTimer() {
        ExchangeHandler whole = one -> one.answer(200, TestModule.PLAIN, bytes(4));
        ExchangeHandler pieces =
                one -> {
                    one.respond(200, withLength(4));
                    one.write(bytes(4));
                    one.complete();
                };
        // The first request has the connection's own timer made.
        assertTrue(timersFor(whole) > 0);
        assertEquals(timersFor(whole), timersFor(pieces));
    }

    private long timersFor(ExchangeHandler handler) {
        long before = engine.time().arranged();
        module.handles(handler);
        var answered = new RecordingClient();
        module.give(engine.submit("GET", "", context, answered));
        assertEquals(4, answered.read().length());
        return engine.time().arranged() - before;
    }

    @Test
    void aHeadOfUnknownLengthGoesOutAtOnce() {
        give("GET", "");
        module.exchange().respond(200, TestModule.PLAIN);
        assertEquals(-1, client.head().contentLength());
    }

    @Test
    void aClientThatDoesNotReadHoldsTheModuleBackAndNotTheMemory() {
        Exchange exchange = give("GET", "");
        PeerExchange open = module.exchange();
        open.respond(200, TestModule.PLAIN);
        int written = 0;
        boolean more = true;
        while (more) {
            more = open.write(bytes(16_384));
            written += 16_384;
        }
        assertTrue(written <= 3 * ROOM, () -> "taken of the module without a reader");
        assertEquals(0, engine.store().memoryBytes() + engine.store().diskBytes());
        module.events();

        assertEquals(written, client.read().length());
        assertEquals(List.of("writable"), module.events());
        open.complete();
        assertEquals(BodyEnding.COMPLETE, client.ending());
        exchange.delivered();
        assertEquals(List.of("done"), module.events());
    }

    @Test
    void whoListensBehindItsFirstWordsHearsWhatHappenedMeanwhile() {
        Exchange exchange = engine.submit("GET", "", context, client);
        module.handles(
                one -> {
                    one.respond(200, TestModule.PLAIN);
                    while (one.write(bytes(16_384))) {
                        assertFalse(one.isCancelled());
                    }
                    exchange.clientGone(Failure.CLIENT_GONE);
                    one.complete();
                    module.listen(one);
                });
        module.give(exchange);
        List<String> events = module.events();
        assertTrue(events.contains("cancelled the request has ended"), events::toString);
        assertEquals("done", events.getLast());
        assertEquals(2, module.connection().free());
    }

    @Test
    void whoListensBehindItsAnswerHearsTheEnd() {
        module.handles(
                one -> {
                    one.answer(200, TestModule.PLAIN, bytes(3));
                    module.listen(one);
                });
        Exchange exchange = give("GET", "");
        exchange.delivered();
        assertEquals(List.of("done"), module.events());
    }

    @Test
    void aHugeBufferIsPassedOnInPiecesAndTheSlotIsFreeWhenItIs() {
        give("GET", "");
        module.exchange().answer(200, TestModule.PLAIN, bytes(10 * ROOM));
        assertEquals(1, module.connection().free());
        assertEquals(ROOM, client.readOnePiece());
        assertEquals(9 * ROOM, client.read().length());
        assertEquals(2, module.connection().free());
        assertEquals(BodyEnding.COMPLETE, client.ending());
    }

    @Test
    void aBodyComesAsItArrivesAndWaitsForTheModule() {
        Exchange exchange = engine.open("POST", context, client);
        exchange.body().expect(9);
        module.give(exchange);
        exchange.body().receive(TestEngine.bytes("abc"));
        assertEquals(List.of("body abc"), module.events());
        module.exchange().pauseBody();
        exchange.body().receive(TestEngine.bytes("def"));
        assertEquals(List.of(), module.events());
        exchange.body().receive(TestEngine.bytes("x".repeat(40_000)));
        assertFalse(exchange.body().hasRoom());
        module.exchange().resumeBody();
        assertTrue(exchange.body().hasRoom());
        exchange.body().receive(TestEngine.bytes("ghi"));
        exchange.body().whole();
        List<String> events = module.events();
        assertEquals(List.of("body def", "body end"), List.of(events.getFirst(), events.getLast()));
        assertTrue(events.contains("body ghi"));
    }

    @Test
    void aWholeBodyThatTheDiskGivesLaterComesToWhoeverListensLate(@TempDir Path folder) {
        Queue<Runnable> disk = new ArrayDeque<>();
        TestEngine slow = new TestEngine(folder, 10_000_000, disk::add);
        TestModule late = new TestModule(slow, work, 2);
        String body = "x".repeat(200_000);
        Exchange exchange = slow.submit("POST", body, context, client);
        runAll(disk);
        AtomicReference<PeerExchange> taken = new AtomicReference<>();
        late.handles(taken::set);
        late.give(exchange);
        late.listen(taken.get());
        runAll(disk);

        List<String> events = late.events();
        assertEquals("body end", events.getLast());
        assertEquals(body, String.join("", events).replaceAll("body (end)?", ""));
    }

    private static void runAll(Queue<Runnable> disk) {
        for (Runnable next = disk.poll(); next != null; next = disk.poll()) {
            next.run();
        }
    }

    @Test
    void anAnswerToHeadHasNoBodyWhateverTheModuleWrites() {
        give("HEAD", "");
        module.exchange().respond(200, withLength(1_000));
        module.exchange().write(bytes(10));
        module.exchange().complete();
        assertEquals(1_000, client.head().contentLength());
        assertEquals("", client.read());
        assertEquals(BodyEnding.COMPLETE, client.ending());
    }

    @Test
    void hopByHopFieldsEndHereAndATypeIsAlwaysThere() {
        give("GET", "");
        module.exchange()
                .answer(
                        200,
                        List.of(
                                new HeaderField("Connection", "x-mine"),
                                new HeaderField("X-Mine", "1"),
                                new HeaderField("Transfer-Encoding", "chunked"),
                                new HeaderField("X-Other", "2")),
                        bytes(0));
        assertEquals(
                List.of(
                        new HeaderField("X-Other", "2"),
                        new HeaderField("Content-Type", "text/html")),
                client.head().fields());
    }

    @Test
    void headsThatCannotBeAreToldToTheModuleAndMayBeGivenBetter() {
        give("GET", "");
        PeerExchange exchange = module.exchange();
        assertThrows(IllegalArgumentException.class, () -> exchange.respond(100, List.of()));
        var status = List.of(new HeaderField("Status", "200"));
        assertThrows(IllegalArgumentException.class, () -> exchange.respond(200, status));
        var length = List.of(new HeaderField("Content-Length", "many"));
        assertThrows(IllegalArgumentException.class, () -> exchange.respond(200, length));
        assertThrows(IllegalStateException.class, () -> exchange.write(bytes(1)));
        assertThrows(IllegalStateException.class, exchange::complete);
        exchange.answer(200, TestModule.PLAIN, TestEngine.bytes("fine"));
        assertEquals("fine", client.read());
        assertNull(client.failure());
    }
}
