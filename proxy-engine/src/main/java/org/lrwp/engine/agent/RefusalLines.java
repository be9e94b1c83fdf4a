package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.time.NanoClock;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells the log of refused registrations. Anybody can be refused as often as he likes: above a rate
 * they are counted, and the next line says how many had none. Thread-safe, never blocks.
 */
final class RefusalLines {
    private static final System.Logger LOG = System.getLogger(RefusalLines.class.getName());

    /** So many seconds' lines may be written at once. */
    private static final int BURST_SECONDS = 10;

    private final @Nullable TurnBucket turns;
    private final AtomicLong omitted = new AtomicLong();

    /**
     * Creates it without a refusal.
     *
     * @param perSecond lines a second; 0 = any number
     */
    RefusalLines(int perSecond, NanoClock clock) {
        this.turns =
                perSecond == 0 ? null : new TurnBucket(perSecond, perSecond * BURST_SECONDS, clock);
    }

    /**
     * Tells of one, or counts it.
     *
     * @param context as the peer has named it; empty when it has not
     * @param identity who the peer says it is; empty when it says nothing
     */
    void tell(String peer, String context, String reason, String identity) {
        if (turns != null && !turns.takeNow()) {
            omitted.incrementAndGet();
            return;
        }
        long before = omitted.getAndSet(0);
        LOG.log(
                System.Logger.Level.WARNING,
                "registration-refused peer={0} context={1} reason=\"{2}\" identity={3}{4}",
                peer,
                context.isEmpty() ? "-" : PeerText.escape(context),
                reason,
                identity.isEmpty() ? "-" : identity,
                before == 0 ? "" : " omitted=" + before);
    }
}
