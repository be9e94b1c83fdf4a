package org.lrwp.download.rate;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class RateLoopTest {
    @Test
    void flowsOfManyThreadsGetTheirLeaveOnOneThread() throws InterruptedException {
        CountDownLatch granted = new CountDownLatch(200);
        try (RateLoop loop = new RateLoop(Limit.of(10_000_000), System::nanoTime)) {
            for (int i = 0; i < 50; i++) {
                String client = "c" + i;
                Flow flow =
                        new Flow(
                                (mine, bytes) -> {
                                    granted.countDown();
                                    loop.giveBack(mine, bytes / 2);
                                    loop.want(mine, 1000);
                                });
                loop.hurry(
                        tree ->
                                tree.join(
                                        flow,
                                        tree.group(tree.root(), client, Quota.of(Limit.NONE), 1),
                                        Limit.of(20_000)));
                Thread.ofPlatform().start(() -> loop.want(flow, 1000)).join();
            }

            assertTrue(granted.await(20, TimeUnit.SECONDS), granted::toString);
        }
    }

    @Test
    void faultOfATaskDoesNotEndTheLoop() throws InterruptedException {
        CountDownLatch next = new CountDownLatch(1);
        try (RateLoop loop = new RateLoop(Limit.NONE, System::nanoTime)) {
            loop.execute(
                    tree -> {
                        throw new IllegalStateException("planned by a test");
                    });
            loop.execute(tree -> next.countDown());

            assertTrue(next.await(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Limit.MOST_RATE + 1})
    void rateOutsideItsRangeIsRefused(long rate) {
        assertThrows(IllegalArgumentException.class, () -> Limit.of(rate));
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 10_001})
    void burstOutsideItsRangeIsRefused(int millis) {
        assertThrows(IllegalArgumentException.class, () -> new Limit(1, Duration.ofMillis(millis)));
    }

    @Test
    void bucketNeverGivesWhatItDoesNotHold() {
        Bucket bucket = new Bucket(Limit.of(1000), 10, 0);

        assertThrows(IllegalArgumentException.class, () -> bucket.take(11));
        bucket.take(10);
        bucket.refill(1_000_000_000L);
        assertTrue(bucket.available() == 500 && bucket.isAsNew(), () -> "" + bucket.available());
        bucket.refill(0);
        assertTrue(bucket.available() == 500, () -> "" + bucket.available());
    }
}
