package org.lrwp.engine.peer.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeEnvironment;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.testkit.TestModule;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients, deadlines' cancels and a module's threads at the same time: nothing is lost or doubled.
 */
class LocalPeerRaceTest {
    private static final int REQUESTS = 64;
    private static final int PARTS = 40;
    private static final int PART = 20_000;

    /** Writes all parts, waiting for room as a data mover does, on a thread of the module. */
    private static final class Writer implements ExchangeListener, Runnable {
        private final PeerExchange exchange;
        private final AtomicInteger done = new AtomicInteger();
        private final Semaphore turns = new Semaphore(1);

        Writer(PeerExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void run() {
            exchange.respond(200, TestModule.PLAIN);
            byte next = 0;
            for (int i = 0; i < PARTS; i++) {
                turns.acquireUninterruptibly();
                byte[] part = new byte[PART];
                for (int at = 0; at < PART; at++) {
                    part[at] = next++;
                }
                if (exchange.write(ByteBuffer.wrap(part)) || exchange.isCancelled()) {
                    turns.release();
                }
            }
            exchange.complete();
        }

        @Override
        public void onWritable() {
            turns.release();
        }

        @Override
        public void onCancelled(String reason) {
            turns.release(PARTS);
        }

        @Override
        public void onDone() {
            done.incrementAndGet();
        }
    }

    /** Reads on a thread of its own, checks what it reads, and perhaps leaves in the middle. */
    private static final class Reader implements Client, Runnable {
        private final Semaphore ready = new Semaphore(0);
        private final CountDownLatch end = new CountDownLatch(1);
        private final AtomicLong wrong = new AtomicLong();
        private final long leavesAfter;
        private volatile @Nullable Spool body;
        private volatile @Nullable Exchange exchange;
        private long read;

        Reader(long leavesAfter) {
            this.leavesAfter = leavesAfter;
        }

        @Override
        public void answer(AnswerHead head, Spool bytes) {
            body = bytes;
            bytes.onReady(ready::release);
            ready.release();
        }

        @Override
        public void fail(Failure failure) {
            end.countDown();
        }

        @Override
        public void run() {
            while (end.getCount() > 0) {
                ready.acquireUninterruptibly();
                ready.drainPermits();
                Spool bytes = body;
                Exchange open = exchange;
                if (bytes != null && open != null) {
                    take(bytes, open);
                }
            }
        }

        private void take(Spool bytes, Exchange open) {
            ByteBuffer next = bytes.poll();
            while (next != null && end.getCount() > 0) {
                while (next.hasRemaining()) {
                    wrong.addAndGet(next.get() == (byte) read ? 0 : 1);
                    read++;
                }
                if (read >= leavesAfter) {
                    open.clientGone(Failure.CLIENT_GONE);
                    end.countDown();
                }
                next = bytes.poll();
            }
            if (bytes.ending() == BodyEnding.COMPLETE && end.getCount() > 0) {
                open.delivered();
                end.countDown();
            }
        }
    }

    @RepeatedTest(5)
    void everyAnswerIsWholeOrOverAndEverySlotFreeInTheEnd() throws Exception {
        TestEngine engine = new TestEngine();
        var environment =
                new ExchangeEnvironment(
                        engine.time(), engine.time(), engine.store(), (exchange, record) -> {});
        List<Writer> writers = new ArrayList<>();
        List<Reader> readers = new ArrayList<>();
        Random random = new Random(3);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            TestModule module =
                    new TestModule(engine, new QuietWork(), REQUESTS)
                            .handles(
                                    exchange -> {
                                        Writer writer = new Writer(exchange);
                                        writers.add(writer);
                                        exchange.listen(writer);
                                        threads.execute(writer);
                                    });
            for (int i = 0; i < REQUESTS; i++) {
                boolean leaves = i % 4 == 0;
                Reader reader = new Reader(leaves ? random.nextInt(PARTS * PART) : Long.MAX_VALUE);
                readers.add(reader);
                Exchange exchange = exchange(environment, reader);
                reader.exchange = exchange;
                threads.execute(reader);
                module.give(exchange);
            }
            for (Reader reader : readers) {
                assertTrue(reader.end.await(30, TimeUnit.SECONDS), "no end for a client");
                assertEquals(0, reader.wrong.get());
                assertTrue(reader.leavesAfter < Long.MAX_VALUE || reader.read == PARTS * PART);
            }
            threads.shutdown();
            assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS), "a writer hangs");
            assertEquals(REQUESTS, module.connection().free());
            writers.forEach(writer -> assertEquals(1, writer.done.get()));
            assertEquals(0, engine.store().memoryBytes() + engine.store().diskBytes());
        }
    }

    private static Exchange exchange(ExchangeEnvironment environment, Client client) {
        var request =
                new ExchangeRequest(
                        "r1",
                        "GET",
                        "/osp",
                        "192.0.2.1",
                        (block, length, upgrade) -> TestEngine.frameHead("r1", 0));
        var exchange =
                new Exchange(
                        request, TestEngine.exchangeConfig(), environment, new Nowhere(), client);
        exchange.body().whole();
        return exchange;
    }

    /** A context that counts nothing and finds nobody. */
    private static final class Nowhere implements Dispatcher {
        @Override
        public String contextName() {
            return "/osp";
        }

        @Override
        public void submit(Exchange exchange) {}

        @Override
        public void offer(Exchange exchange) {}

        @Override
        public void resubmit(Exchange exchange) {}

        @Override
        public void withdraw(Exchange exchange) {}

        @Override
        public void tried(Object instance, boolean good) {}

        @Override
        public void ended(ExchangeRecord exchange) {}
    }

    /** Nobody waits for a slot. */
    private static final class QuietWork implements WorkSource {
        @Override
        public void slotFree(PeerConnection connection) {}

        @Override
        public void leaving(PeerConnection connection) {}

        @Override
        public void gone(PeerConnection connection) {}
    }
}
