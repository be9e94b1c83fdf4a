package org.lrwp.engine.agent;

import org.lrwp.engine.time.NanoClock;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Says when something has its turn, such as the registrations of one identity: so many at once,
 * then so many a second. Thread-safe, never blocks.
 */
final class TurnBucket {
    private static final double NANOS = 1e9;

    private final double perNano;
    private final int burst;
    private final NanoClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private double tokens;
    private long filledAt;

    TurnBucket(int perSecond, int burst, NanoClock clock) {
        this.perNano = perSecond / NANOS;
        this.burst = burst;
        this.clock = clock;
        this.tokens = burst;
        this.filledAt = clock.nanos();
    }

    /** Takes the next turn, whenever that is; returns how long it is until then, 0 for now. */
    long take() {
        lock.lock();
        try {
            fill();
            tokens--;
            return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / perNano);
        } finally {
            lock.unlock();
        }
    }

    /** Takes a turn if there is one now. */
    boolean takeNow() {
        lock.lock();
        try {
            fill();
            boolean there = tokens >= 1;
            tokens -= there ? 1 : 0;
            return there;
        } finally {
            lock.unlock();
        }
    }

    private void fill() {
        long now = clock.nanos();
        tokens = Math.min(burst, tokens + (now - filledAt) * perNano);
        filledAt = now;
    }

    /** Whether it is as if nobody had ever taken a turn. */
    boolean isFull() {
        lock.lock();
        try {
            return tokens + (clock.nanos() - filledAt) * perNano >= burst;
        } finally {
            lock.unlock();
        }
    }
}
