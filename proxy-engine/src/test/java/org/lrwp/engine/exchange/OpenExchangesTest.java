package org.lrwp.engine.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.TestEngine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

class OpenExchangesTest {
    private static final ExchangeRecord RECORD =
            new ExchangeRecord(
                    "id",
                    "::1",
                    "GET",
                    () -> "/",
                    "",
                    "",
                    "billing",
                    200,
                    0,
                    0,
                    0,
                    0,
                    4_500,
                    0,
                    0,
                    "edge",
                    "",
                    "answered",
                    RequestDetails.NONE);

    private final List<ExchangeRecord> told = new ArrayList<>();
    private final OpenExchanges open = new OpenExchanges(3, 1, told::add);

    private final TestEngine engine = new TestEngine();

    private Exchange fresh() {
        return engine.submit("GET", "", new RecordingContext(), new RecordingClient());
    }

    @Test
    void moreThanTheLimitAreToldApart() {
        List<Exchange> all = List.of(fresh(), fresh(), fresh(), fresh());
        assertTrue(open.add(all.get(0)));
        assertTrue(open.add(all.get(1)));
        assertTrue(open.add(all.get(2)));
        assertFalse(open.add(all.get(3)));

        open.ended(all.get(3), RECORD);
        open.ended(all.get(1), RECORD);
        assertTrue(open.add(fresh()));
    }

    @Test
    void anExchangeThatHasEndedIsNotThereAnyMoreWhereverItStood() {
        List<Exchange> all = List.of(fresh(), fresh(), fresh());
        all.forEach(open::add);

        open.ended(all.get(1), RECORD);
        assertEquals(Set.of(all.get(0), all.get(2)), Set.copyOf(open.all()));
        open.ended(all.get(2), RECORD);
        assertEquals(List.of(all.get(0)), open.all());
        open.ended(all.get(0), RECORD);
        open.ended(all.get(0), RECORD);
        assertEquals(List.of(), open.all());
        assertTrue(open.add(fresh()), "the second end of the same one counts for nothing");
        assertEquals(4, told.size());
    }

    @Test
    void oneListenerHearsOfAllRetriesWhoeverIsToldOfTheEnd() {
        List<String> retried = new ArrayList<>();
        var all =
                new OpenExchanges(
                        3,
                        0,
                        new ExchangeListener() {
                            @Override
                            public void ended(ExchangeRecord exchange) {}

                            @Override
                            public void retried(String context, Failure why) {
                                retried.add(context + " " + why.word());
                            }
                        });

        all.retried("/a", Failure.REFUSED);
        all.telling(record -> {}).retried("/b", Failure.PEER_GONE);

        assertEquals(List.of("/a refused", "/b peer-gone"), retried);
    }

    @Test
    void aTunnelIsCountedAsOneAndNotAsARequest() {
        List<Exchange> all = List.of(fresh(), fresh(), fresh(), fresh());
        assertTrue(open.takesTunnels());
        assertTrue(open.add(all.get(0)));
        assertTrue(open.opensTunnel(all.get(0)));
        assertFalse(open.hasTunnelRoom());
        assertTrue(open.add(all.get(1)));
        assertFalse(open.opensTunnel(all.get(1)));
        assertTrue(open.add(all.get(2)));
        assertTrue(open.add(all.get(3)), "three requests beside the tunnel");

        open.ended(all.get(0), RECORD);
        assertTrue(open.hasTunnelRoom());
    }

    @Test
    void exchangesThatOtherThreadsEndWhileAllAreAwaitedAreNoticed() throws Exception {
        Exchange exchange = fresh();
        open.add(exchange);
        var begun = new CountDownLatch(1);
        Thread ending =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    begun.countDown();
                                    open.ended(exchange, RECORD);
                                });
        begun.await();
        open.awaitNone(Duration.ofSeconds(30));
        ending.join();

        assertEquals(List.of(), open.all());
    }

    @Test
    void errorsThatAreOnTheirWayAreAwaitedToo() throws Exception {
        open.failing();
        var told = new AtomicBoolean();
        Thread telling =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    told.set(true);
                                    open.failed();
                                });
        open.awaitNone(Duration.ofSeconds(30));

        assertTrue(told.get());
        telling.join();
    }

    @Test
    void threadsThatAddAndEndEachOthersLoseNone() throws Exception {
        var wide = new OpenExchanges(10_000, 0, record -> {});
        assertFalse(wide.takesTunnels());
        var handed = new ConcurrentLinkedQueue<Exchange>();
        List<Exchange> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            all.add(fresh());
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            List<Exchange> own = all.subList(i * 500, (i + 1) * 500);
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () ->
                                            own.forEach(
                                                    one -> {
                                                        wide.add(one);
                                                        handed.add(one);
                                                        Exchange other = handed.poll();
                                                        if (other != null) {
                                                            wide.ended(other, RECORD);
                                                        }
                                                    })));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertEquals(Set.copyOf(handed), Set.copyOf(wide.all()));
    }
}
