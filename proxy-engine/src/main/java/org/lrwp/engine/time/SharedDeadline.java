package org.lrwp.engine.time;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.time.Deadlines.Deadline;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One deadline for many that wait: it looks after them when the first of them may be late, and is
 * told then of those that are left. Thread-safe; no lock is held while it looks.
 */
public final class SharedDeadline {
    /** What is left for those that are never late. */
    public static final long NEVER = Long.MAX_VALUE;

    private final Deadlines deadlines;
    private final long leastNanos;
    private final Runnable look;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Deadline arranged;
    private volatile boolean armed;
    private volatile long armedFor;
    private boolean closed;

    /**
     * Creates a deadline that nobody waits for.
     *
     * @param deadlines calls it
     * @param leastNanos those that become late within that time are looked at together; in
     *     nanoseconds, at least 0
     * @param look looks who is late; called on the deadline thread
     */
    public SharedDeadline(Deadlines deadlines, long leastNanos, Runnable look) {
        this.deadlines = deadlines;
        this.leastNanos = leastNanos;
        this.look = look;
    }

    /**
     * Has it look within a time, unless it will look before anyhow.
     *
     * @param leftNanos the time in nanoseconds, or {@link #NEVER}
     * @param now the present time of the clock
     */
    public void within(long leftNanos, long now) {
        long delay = Math.max(leftNanos, leastNanos);
        long due = now + delay;
        // Most come no further: they need no deadline of their own.
        if (leftNanos == NEVER || isArmedBy(due)) {
            return;
        }
        lock.lock();
        try {
            if (closed || isArmedBy(due)) {
                return;
            }
            callOff();
            armedFor = due;
            armed = true;
            arranged = deadlines.after(delay, () -> look(due));
        } finally {
            lock.unlock();
        }
    }

    private boolean isArmedBy(long due) {
        return armed && armedFor - due <= 0;
    }

    private void callOff() {
        Deadline old = arranged;
        if (old != null) {
            old.cancel();
        }
    }

    private void look(long due) {
        lock.lock();
        try {
            if (closed || armedFor != due) {
                return;
            }
            armed = false;
            arranged = null;
        } finally {
            lock.unlock();
        }
        look.run();
    }

    /** Looks no more. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            callOff();
        } finally {
            lock.unlock();
        }
    }
}
