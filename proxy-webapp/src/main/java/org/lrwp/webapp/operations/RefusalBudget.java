package org.lrwp.webapp.operations;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Says which refusals have a line of the audit log: anybody can be refused as often as he likes,
 * and its files hold only so many lines. So many have one at once, and as many in each hour.
 * Thread-safe, never blocks.
 */
final class RefusalBudget {
    private static final double MILLIS = Duration.ofHours(1).toMillis();

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private int perHour;
    private double left;
    private Instant filled;
    private long omitted;

    RefusalBudget(int perHour, InstantSource clock) {
        this.clock = clock;
        this.perHour = perHour;
        this.left = perHour;
        this.filled = clock.instant();
    }

    /** Changes how many. */
    void use(int next) {
        lock.lock();
        try {
            perHour = next;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a line; returns how many had none since the last one, or -1 when there is none. */
    long take() {
        lock.lock();
        try {
            fill();
            if (left < 1) {
                omitted++;
                return -1;
            }
            left--;
            long before = omitted;
            omitted = 0;
            return before;
        } finally {
            lock.unlock();
        }
    }

    /** The line that should have told of them is lost: the next one does. */
    void untold(long count) {
        lock.lock();
        try {
            omitted += count;
        } finally {
            lock.unlock();
        }
    }

    private void fill() {
        Instant now = clock.instant();
        // The clock may have been set back.
        long millis = Math.max(0, Duration.between(filled, now).toMillis());
        left = Math.min(perHour, left + millis / MILLIS * perHour);
        filled = now;
    }
}
