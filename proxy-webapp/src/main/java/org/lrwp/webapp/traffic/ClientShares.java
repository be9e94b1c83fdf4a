package org.lrwp.webapp.traffic;

import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.webapp.config.ClientLimit;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What each client has asked of each context lately. Rates are kept by the generic cell rate
 * algorithm (ITU-T I.371): one time for each client. A client that has nothing in flight and all of
 * its burst is forgotten when its place is needed. Thread-safe; never blocks.
 */
public final class ClientShares {
    private static final System.Logger LOG = System.getLogger(ClientShares.class.getName());
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** Those for whom there is no room: one client of their context. */
    private static final String OTHERS = "others";

    /** A client's requests of one context; each change makes a new one. */
    private record Share(long full, int open) {}

    /** A client of a context. */
    private record Key(String context, String client) {}

    private final NanoClock clock;
    private final ConcurrentHashMap<Key, Share> shares = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final AtomicLong nextSweep;
    private final AtomicLong nextLog;

    /**
     * Creates it empty.
     *
     * @param clock a monotonic clock
     */
    public ClientShares(NanoClock clock) {
        this.clock = clock;
        this.nextSweep = new AtomicLong(clock.nanos());
        this.nextLog = new AtomicLong(clock.nanos());
    }

    /** What becomes of a request. */
    public sealed interface Verdict {}

    /**
     * It may go on.
     *
     * @param whenOver has to run when the request is over
     */
    public record Passed(Runnable whenOver) implements Verdict {}

    /**
     * Its client has asked too much.
     *
     * @param retrySeconds when it may ask again, at least 1
     */
    public record Refused(int retrySeconds) implements Verdict {}

    /**
     * A client asks.
     *
     * @param context as users write it
     * @param limit of that context
     * @param clients that may be told apart
     * @param head the request
     * @return whether it may
     */
    public Verdict enter(String context, ClientLimit limit, int clients, RequestHead head) {
        long now = clock.nanos();
        Key key = new Key(context, ClientKey.of(head, limit.name()));
        if (shares.size() >= clients && !shares.containsKey(key)) {
            sweep(now);
            key = shares.size() < clients ? key : new Key(context, OTHERS);
        }
        // Set by the function below, which runs on this thread.
        long[] wait = {0};
        shares.compute(key, (one, known) -> next(known, limit, now, wait));
        if (wait[0] > 0) {
            refuse(context, head, now);
            return new Refused((int) Math.min((wait[0] + SECOND - 1) / SECOND, Integer.MAX_VALUE));
        }
        Key counted = key;
        return new Passed(() -> leave(counted));
    }

    /** The share behind a request; the old one, and how long to wait, when it may not pass. */
    private static Share next(Share known, ClientLimit limit, long now, long[] wait) {
        Share share = known == null ? new Share(now, 0) : known;
        if (limit.atOnce() > 0 && share.open() >= limit.atOnce()) {
            wait[0] = 1;
            return share;
        }
        long full = share.full() - now < 0 ? now : share.full();
        if (limit.rate() > 0) {
            long interval = Math.max(1, SECOND / limit.rate());
            long ahead = full - now - interval * (limit.burst() - 1);
            if (ahead > 0) {
                wait[0] = ahead;
                return share;
            }
            full += interval;
        }
        return new Share(full, share.open() + 1);
    }

    private void leave(Key key) {
        long now = clock.nanos();
        shares.computeIfPresent(
                key,
                (one, share) ->
                        share.open() == 1 && share.full() - now <= 0
                                ? null
                                : new Share(share.full(), share.open() - 1));
    }

    /** Forgets those whose burst has come back; at most once a second, as it looks at all. */
    private void sweep(long now) {
        long next = nextSweep.get();
        if (now - next >= 0 && nextSweep.compareAndSet(next, now + SECOND)) {
            shares.values().removeIf(share -> share.open() == 0 && share.full() - now <= 0);
        }
    }

    /** At most one line a second, however many are refused; a name may be a secret. */
    private void refuse(String context, RequestHead head, long now) {
        refused.increment();
        long next = nextLog.get();
        if (now - next >= 0 && nextLog.compareAndSet(next, now + SECOND)) {
            LOG.log(
                    Level.WARNING,
                    "client-rate-limited context={0} client={1} refused={2}",
                    context,
                    head.connection().remoteText(),
                    refused.sum());
        }
    }

    /** Clients that are remembered. */
    int size() {
        return shares.size();
    }
}
