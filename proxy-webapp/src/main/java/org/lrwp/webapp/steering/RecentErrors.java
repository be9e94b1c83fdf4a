package org.lrwp.webapp.steering;

import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * The last requests that failed, with their reasons. A request that was answered costs one look at
 * its reason. Any thread; it waits for nothing but another failure.
 */
public final class RecentErrors implements ExchangeListener {
    /** How many are kept. */
    public static final int KEPT = 100;

    private static final Set<String> WORDS =
            Arrays.stream(Failure.values()).map(Failure::word).collect(Collectors.toSet());

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Failed> last = new ArrayDeque<>();

    /**
     * A request that failed.
     *
     * @param time when it ended
     * @param exchange what happened
     */
    public record Failed(Instant time, ExchangeRecord exchange) {}

    /**
     * Creates an empty ring.
     *
     * @param clock for the time of each
     */
    public RecentErrors(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void ended(ExchangeRecord exchange) {
        if (exchange.reason().equals("answered") || !WORDS.contains(exchange.reason())) {
            return;
        }
        lock.lock();
        try {
            if (last.size() == KEPT) {
                last.removeLast();
            }
            last.addFirst(new Failed(clock.instant(), exchange));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns what has failed.
     *
     * @return the latest first
     */
    public List<Failed> all() {
        lock.lock();
        try {
            return new ArrayList<>(last);
        } finally {
            lock.unlock();
        }
    }
}
