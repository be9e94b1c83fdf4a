package org.lrwp.engine.peer.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.peer.PeerLog;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.testkit.TestModule;

import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A module is closed at the moment in which its handler is about to be entered. */
class LocalCloseRaceTest {
    /** Of a thousand requests one or two met the fault that this was written for. */
    private static final int REQUESTS = 20_000;

    /** About as long as a thread takes to begin. */
    private static final int MOST_SPINS = 1000;

    /** Kept, so that its level is: thousands of modules leave here. */
    private static final Logger PEERS = Logger.getLogger(PeerLog.class.getPackageName());

    private final TestEngine engine = new TestEngine();
    private final Semaphore handled = new Semaphore(0);
    private final AtomicInteger doubled = new AtomicInteger();
    private final Random random = new Random(5);

    @BeforeAll
    static void nobodyLogs() {
        PEERS.setLevel(Level.OFF);
    }

    @AfterAll
    static void logsAsBefore() {
        PEERS.setLevel(null);
    }

    @Test
    void requestThatGoesElsewhereIsNotStartedHere() throws InterruptedException {
        int started = 0;
        for (int i = 0; i < REQUESTS; i++) {
            started += isStarted() ? 1 : 0;
        }
        assertTrue(handled.tryAcquire(started, 30, TimeUnit.SECONDS), "not started, yet failed");
        assertEquals(0, doubled.get(), "started, and sent elsewhere");
    }

    /** Whether a POST may have been started by a module that was closed at once. */
    private boolean isStarted() {
        Exchange exchange =
                engine.submit("POST", "", new RecordingContext(), new RecordingClient());
        var closed = new CountDownLatch(1);
        TestModule module =
                new TestModule(engine, new RecordingWork(), 1, false)
                        .handles(
                                one -> {
                                    closed.await();
                                    boolean elsewhere = exchange.state() == ExchangeState.QUEUED;
                                    doubled.addAndGet(elsewhere ? 1 : 0);
                                    handled.release();
                                });
        module.give(exchange);
        for (int i = random.nextInt(MOST_SPINS); i > 0; i--) {
            Thread.onSpinWait();
        }
        module.connection().close("a test");
        closed.countDown();
        return exchange.state() == ExchangeState.FAILED;
    }
}
