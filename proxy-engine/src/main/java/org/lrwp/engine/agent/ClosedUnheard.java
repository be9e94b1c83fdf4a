package org.lrwp.engine.agent;

import org.lrwp.engine.time.NanoClock;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Logs the connections that are closed without a text, at most one line a second however many there
 * are. Thread-safe.
 */
final class ClosedUnheard {
    private static final System.Logger LOG = System.getLogger(ClosedUnheard.class.getName());
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

    private final NanoClock clock;
    private final AtomicLong next;
    private final LongAdder closed = new LongAdder();

    ClosedUnheard(NanoClock clock) {
        this.clock = clock;
        this.next = new AtomicLong(clock.nanos());
    }

    /** Counts one, and perhaps says why: the name of the key that it met. */
    void count(InetAddress address, String reason) {
        closed.increment();
        long now = clock.nanos();
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + INTERVAL)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "connection-refused peer={0} reason={1} refused={2}",
                    address.getHostAddress(),
                    reason,
                    Long.toString(closed.sum()));
        }
    }
}
