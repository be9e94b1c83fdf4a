package org.lrwp.engine.time;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Says when something has its turn, such as the registrations of one identity: so many at once,
 * then so many a second. Thread-safe, never blocks.
 */
public final class TurnBucket {
    private static final double NANOS = 1e9;

    private final double perNano;
    private final int burst;
    private final NanoClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private double tokens;
    private long filledAt;

    /**
     * Creates it full.
     *
     * @param perSecond turns that come back in a second
     * @param burst turns at once
     * @param clock the time
     */
    public TurnBucket(int perSecond, int burst, NanoClock clock) {
        this.perNano = perSecond / NANOS;
        this.burst = burst;
        this.clock = clock;
        this.tokens = burst;
        this.filledAt = clock.nanos();
    }

    /**
     * Takes the next turn, whenever that is.
     *
     * @return how long it is until then in nanoseconds, 0 for now
     */
    public long take() {
        lock.lock();
        try {
            fill();
            tokens--;
            return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / perNano);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a turn if there is one now.
     *
     * @return whether there was
     */
    public boolean takeNow() {
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

    /**
     * Says whether it is as if nobody had ever taken a turn.
     *
     * @return true when all are there
     */
    public boolean isFull() {
        lock.lock();
        try {
            return tokens + (clock.nanos() - filledAt) * perNano >= burst;
        } finally {
            lock.unlock();
        }
    }
}
