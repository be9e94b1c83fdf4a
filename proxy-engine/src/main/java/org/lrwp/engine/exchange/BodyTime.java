package org.lrwp.engine.exchange;

import org.lrwp.engine.time.NanoClock;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time that a client takes for the rest of a body: since when it is silent, and how long it has
 * been sending. While it is held back, by its peer or by the disk, neither counts. Thread-safe.
 */
final class BodyTime {
    /** A body that comes at just the least rate is not looked at more often. */
    private static final long SOON = Duration.ofSeconds(1).toNanos();

    private final NanoClock clock;
    private final long silence;
    private final LeastRate rate;
    private final ReentrantLock lock = new ReentrantLock();

    /** When it began, later by all the time that it was held back. */
    private long begin;

    private long lastByte;
    private long heldSince;
    private volatile boolean held;

    BodyTime(NanoClock clock, ExchangeConfig config) {
        this.clock = clock;
        this.silence = config.bodyTime().toNanos();
        this.rate = config.bodyRate();
        this.begin = clock.nanos();
        this.lastByte = begin;
    }

    /** Bytes have come. */
    void come() {
        lock.lock();
        try {
            lastByte = clock.nanos();
        } finally {
            lock.unlock();
        }
    }

    /** Whoever brings the bytes is held back from now on, or goes on. */
    void hold(boolean now) {
        if (now == held) {
            return;
        }
        lock.lock();
        try {
            long time = clock.nanos();
            if (now && !held) {
                heldSince = time;
            } else if (!now && held) {
                begin += time - heldSince;
                lastByte = time;
            }
            held = now;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says when to look again.
     *
     * @param bytes that have come in all
     * @return nanoseconds from now; 0 or less when the client is too slow
     */
    long left(long bytes) {
        lock.lock();
        try {
            if (held) {
                return silence;
            }
            long time = clock.nanos();
            long quiet = silence - (time - lastByte);
            long slow = rate.nanosFor(bytes) - (time - begin);
            return Math.min(quiet, slow <= 0 ? slow : Math.max(slow, SOON));
        } finally {
            lock.unlock();
        }
    }
}
