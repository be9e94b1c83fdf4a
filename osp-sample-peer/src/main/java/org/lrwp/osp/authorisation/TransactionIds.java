package org.lrwp.osp.authorisation;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Numbers the transactions: ascending from a random start, so that several peers of one context are
 * most unlikely to give the same number twice. 19 digits. Any thread may call it.
 */
public final class TransactionIds {
    private static final long FIRST = 1_000_000_000_000_000_000L;
    private static final long STARTS = 8_000_000_000_000_000_000L;

    private final AtomicLong next;

    /**
     * Creates a sequence.
     *
     * @param random chooses the start
     */
    public TransactionIds(RandomGenerator random) {
        next = new AtomicLong(FIRST + random.nextLong(STARTS));
    }

    String next() {
        return Long.toString(next.getAndIncrement());
    }
}
