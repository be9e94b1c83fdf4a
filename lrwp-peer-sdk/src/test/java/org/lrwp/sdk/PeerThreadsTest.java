package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of this Java runtime, and those of one that has no virtual ones. */
@Timeout(60)
final class PeerThreadsTest {
    private static Thread of(Executor executor) {
        return CompletableFuture.supplyAsync(Thread::currentThread, executor).join();
    }

    @Test
    void threadsAreVirtualWhereTheRuntimeHasThem() {
        Thread handler = of(PeerThreads.handlers());
        assertTrue(handler.isVirtual());
        assertEquals("lrwp-request", handler.getName());

        Thread started = of(task -> PeerThreads.start("lrwp-test", task));
        assertTrue(started.isVirtual());
        assertEquals("lrwp-test", started.getName());
    }

    @Test
    void elseTheyKeepNoProgramAliveAndWaitForNoOther() throws Exception {
        ThreadPoolExecutor pool = PeerThreads.pool();
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            pool.execute(
                    () -> {
                        both.countDown();
                        awaitUninterrupted(both);
                    });
        }
        both.await();

        Thread handler = of(pool);
        assertFalse(handler.isVirtual());
        assertTrue(handler.isDaemon());
        assertEquals("lrwp-request", handler.getName());
        pool.shutdown();
        assertTrue(pool.awaitTermination(30, TimeUnit.SECONDS));
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
