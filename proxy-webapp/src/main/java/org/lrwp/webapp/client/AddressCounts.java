package org.lrwp.webapp.client;

import org.lrwp.engine.time.NanoClock;
import org.lrwp.protocol.network.Network;
import org.lrwp.webapp.config.AddressLimits;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what each client address has open, up to a limit. An IPv6 network of 64 bits counts as one
 * address: whoever has one such address has them all. An address that has nothing open takes no
 * memory. Thread-safe; never blocks.
 */
public final class AddressCounts {
    /** What becomes of something that a client opens. */
    public enum Entry {
        /** It is counted, and {@link AddressCounts#leave} has to follow. */
        COUNTED,
        /** There is no limit for its address. */
        FREE,
        /** Its address has too much open. */
        REFUSED
    }

    private static final System.Logger LOG = System.getLogger(AddressCounts.class.getName());
    private static final long LOG_NANOS = Duration.ofSeconds(1).toNanos();

    private final String what;
    private final NanoClock clock;
    private final ConcurrentHashMap<InetAddress, Integer> counts = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final AtomicLong nextLog;
    private volatile int most;
    private volatile List<Network> exempt;

    /**
     * Creates it empty.
     *
     * @param what is counted, for the log
     * @param most that an address may have open; 0 = any number
     * @param exempt addresses without a limit
     * @param clock a monotonic clock
     */
    public AddressCounts(String what, int most, List<Network> exempt, NanoClock clock) {
        if (most < 0) {
            throw new IllegalArgumentException("limit " + most + " is negative");
        }
        this.what = Objects.requireNonNull(what, "what");
        this.most = most;
        this.exempt = List.copyOf(exempt);
        this.clock = clock;
        this.nextLog = new AtomicLong(clock.nanos());
    }

    /**
     * Creates it empty, with the time of the system.
     *
     * @param what is counted, for the log
     * @param most that an address may have open; 0 = any number
     * @param limits say which addresses are exempt
     * @return new counts
     */
    public static AddressCounts of(String what, int most, AddressLimits limits) {
        return new AddressCounts(what, most, limits.exempt(), NanoClock.SYSTEM);
    }

    /**
     * Changes the limit. What is open already stays open, and counts if it did before.
     *
     * @param next that an address may have open; 0 = any number
     * @param without addresses without a limit
     */
    public void limit(int next, List<Network> without) {
        exempt = List.copyOf(without);
        most = next;
    }

    /**
     * A client opens something.
     *
     * @param address of the client
     * @return whether it may
     */
    public Entry enter(InetAddress address) {
        int limit = most;
        if (limit == 0 || Network.anyContains(exempt, address)) {
            return Entry.FREE;
        }
        InetAddress one = Network.sourceOf(address);
        if (counts.merge(one, 1, Integer::sum) <= limit) {
            return Entry.COUNTED;
        }
        release(one);
        refused.increment();
        log(address);
        return Entry.REFUSED;
    }

    /**
     * What was counted is closed.
     *
     * @param address of the client
     */
    public void leave(InetAddress address) {
        release(Network.sourceOf(address));
    }

    private void release(InetAddress one) {
        counts.computeIfPresent(one, (known, count) -> count == 1 ? null : count - 1);
    }

    /** At most once a second, however many are refused. */
    private void log(InetAddress address) {
        long now = clock.nanos();
        long next = nextLog.get();
        if (now - next >= 0 && nextLog.compareAndSet(next, now + LOG_NANOS)) {
            LOG.log(
                    Level.WARNING,
                    "client-limit what={0} limit={1} client={2} refused={3}",
                    what,
                    most,
                    address.getHostAddress(),
                    refused.sum());
        }
    }

    /** Addresses that have something open. */
    int size() {
        return counts.size();
    }

    /** How often somebody was refused. */
    long refused() {
        return refused.sum();
    }
}
