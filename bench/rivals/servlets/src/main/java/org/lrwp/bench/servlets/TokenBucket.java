package org.lrwp.bench.servlets;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Leave for one download: a token for each part, and one clock that fills all buckets. */
final class TokenBucket implements AutoCloseable {
    /** Bytes of a part: with a token each 50 ms that is 20 KB a second. */
    static final int PART = 1000;

    private static final int FILL_MILLIS = 50;
    private static final int MOST = 20;
    private static final Set<TokenBucket> ALL = ConcurrentHashMap.newKeySet();
    private static final ScheduledExecutorService CLOCK =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("token-clock").factory());
    private static final Future<?> FILLING =
            CLOCK.scheduleAtFixedRate(
                    () -> ALL.forEach(TokenBucket::fill),
                    FILL_MILLIS,
                    FILL_MILLIS,
                    TimeUnit.MILLISECONDS);

    private final Semaphore tokens = new Semaphore(1);

    TokenBucket() {
        if (!FILLING.isDone()) {
            ALL.add(this);
        }
    }

    private void fill() {
        if (tokens.availablePermits() < MOST) {
            tokens.release();
        }
    }

    void take() throws InterruptedException {
        tokens.acquire();
    }

    boolean tryTake() {
        return tokens.tryAcquire();
    }

    @Override
    public void close() {
        ALL.remove(this);
    }
}
