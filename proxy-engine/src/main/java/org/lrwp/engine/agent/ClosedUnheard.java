package org.lrwp.engine.agent;

import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.PeerAddress;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells log and audit log of the connections that are closed without a text, at most one line a
 * second however many there are. Thread-safe.
 */
final class ClosedUnheard {
    private static final System.Logger LOG = System.getLogger(ClosedUnheard.class.getName());
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

    private final NanoClock clock;
    private final AuditTrail audit;
    private final AtomicLong next;
    private final LongAdder closed = new LongAdder();

    ClosedUnheard(NanoClock clock, AuditTrail audit) {
        this.clock = clock;
        this.audit = audit;
        this.next = new AtomicLong(clock.nanos());
    }

    /** Counts one, and perhaps says why: the name of the key that it met. */
    void count(PeerAddress remote, String reason) {
        closed.increment();
        long now = clock.nanos();
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + INTERVAL)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "connection-refused peer={0} reason={1} refused={2}",
                    remote.text(),
                    reason,
                    Long.toString(closed.sum()));
            audit.record(
                    AuditEvent.refused(
                            AuditEvent.Action.CONNECT,
                            AuditActor.anonymous(remote.text()),
                            "",
                            reason + " refused=" + closed.sum()));
        }
    }
}
