package org.lrwp.engine.peer.local;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.peer.PeerCall;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.time.Deadlines.Deadline;

import java.util.concurrent.locks.ReentrantLock;

/** Watches the time of all requests of a local peer, with one timer. Thread-safe. */
final class LocalTimer {
    /** Requests that become late one after the other are looked at together. */
    private static final long LEAST_NANOS = 50_000_000L;

    private final PeerEnvironment environment;
    private final Iterable<LocalCall> calls;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Deadline deadline;
    private volatile boolean armed;
    private volatile long armedFor;
    private boolean closed;

    LocalTimer(PeerEnvironment environment, Iterable<LocalCall> calls) {
        this.environment = environment;
        this.calls = calls;
    }

    /** Looks again after so many nanoseconds, or before. */
    void watch(long left) {
        if (left == PeerCall.NEVER) {
            return;
        }
        long delay = Math.max(left, LEAST_NANOS);
        long due = environment.clock().nanos() + delay;
        if (armed && armedFor - due <= 0) {
            // Most requests come here: they need no timer of their own.
            return;
        }
        lock.lock();
        try {
            if (closed || (armed && armedFor - due <= 0)) {
                return;
            }
            Deadline old = deadline;
            if (old != null) {
                old.cancel();
            }
            armedFor = due;
            armed = true;
            deadline = environment.deadlines().after(delay, () -> check(due));
        } finally {
            lock.unlock();
        }
    }

    private void check(long due) {
        lock.lock();
        try {
            if (closed || armedFor != due) {
                return;
            }
            armed = false;
            deadline = null;
        } finally {
            lock.unlock();
        }
        long now = environment.clock().nanos();
        for (LocalCall call : calls) {
            if (call.call().left(now) <= 0) {
                call.late();
            }
        }
        long next = PeerCall.NEVER;
        for (LocalCall call : calls) {
            next = Math.min(next, call.call().left(now));
        }
        watch(next);
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            Deadline old = deadline;
            if (old != null) {
                old.cancel();
            }
        } finally {
            lock.unlock();
        }
    }
}
