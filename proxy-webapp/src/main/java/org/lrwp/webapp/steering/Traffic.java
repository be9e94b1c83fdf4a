package org.lrwp.webapp.steering;

import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What has gone through the proxy within the last hour, in samples of ten seconds. A request counts
 * in two adders; whoever takes the samples does the rest. Any thread; nothing blocks.
 */
public final class Traffic implements ExchangeListener {
    /** The time of a sample. */
    public static final Duration STEP = Duration.ofSeconds(10);

    /** How many samples are kept. */
    public static final int KEPT = 360;

    /** Two for each doubling, from a quarter of a millisecond to about an hour. */
    private static final int BUCKETS = 48;

    private static final double LEAST_MILLIS = 0.25;

    // How a request ended: an index.
    private static final int OK = 0;
    private static final int CLIENT_ERROR = 1;
    private static final int SERVER_ERROR = 2;
    private static final int GONE = 3;
    private static final int KINDS = 4;

    private final InstantSource clock;
    private final LongAdder[] outcomes = adders(KINDS);
    private final LongAdder[] times = adders(BUCKETS);
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Sample> samples = new ArrayDeque<>();
    private long[] countedOutcomes = new long[KINDS];
    private long[] countedTimes = new long[BUCKETS];

    /**
     * What ended within ten seconds.
     *
     * @param end when they were over
     * @param ok answers below 400
     * @param clientErrors answers 400 to 499
     * @param serverErrors answers of 500 and above
     * @param gone requests whose client had left
     * @param medianMillis half of them took at most this time
     * @param slowMillis 99 of 100 took at most this time
     */
    public record Sample(
            Instant end,
            long ok,
            long clientErrors,
            long serverErrors,
            long gone,
            double medianMillis,
            double slowMillis) {
        /**
         * Returns how many there were.
         *
         * @return requests
         */
        public long requests() {
            return ok + clientErrors + serverErrors + gone;
        }
    }

    /**
     * Begins to count.
     *
     * @param clock for the time of each sample
     */
    public Traffic(InstantSource clock) {
        this.clock = clock;
    }

    private static LongAdder[] adders(int number) {
        LongAdder[] adders = new LongAdder[number];
        for (int i = 0; i < number; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }

    @Override
    public void ended(ExchangeRecord exchange) {
        outcomes[kind(exchange.status())].increment();
        times[bucket(exchange.totalNanos())].increment();
    }

    private static int kind(int status) {
        if (status == 0) {
            return GONE;
        } else if (status < 400) {
            return OK;
        }
        return status < 500 ? CLIENT_ERROR : SERVER_ERROR;
    }

    /** The first bucket that a time fits in; the half steps lie at three quarters of the next. */
    private static int bucket(long nanos) {
        long quarters = Math.max(0, nanos) / 250_000;
        if (quarters == 0) {
            return 0;
        }
        int doubling = 63 - Long.numberOfLeadingZeros(quarters);
        boolean upper = doubling > 0 && (quarters & (1L << (doubling - 1))) != 0;
        return Math.min(BUCKETS - 1, 1 + 2 * doubling + (upper ? 1 : 0));
    }

    /** The upper end of a bucket in milliseconds. */
    private static double most(int bucket) {
        if (bucket == 0) {
            return LEAST_MILLIS;
        }
        double begin = LEAST_MILLIS * Math.scalb(1.0, (bucket - 1) / 2);
        // The first doubling has no half step: it is one unit of what is counted.
        return bucket % 2 == 1 && bucket > 1 ? begin * 1.5 : begin * 2;
    }

    /** Takes the next sample; for whoever does it every ten seconds. */
    public void sample() {
        lock.lock();
        try {
            long[] ended = sums(outcomes);
            long[] took = sums(times);
            long[] newTimes = difference(took, countedTimes);
            long[] kinds = difference(ended, countedOutcomes);
            countedOutcomes = ended;
            countedTimes = took;
            if (samples.size() == KEPT) {
                samples.removeFirst();
            }
            samples.addLast(
                    new Sample(
                            clock.instant(),
                            kinds[OK],
                            kinds[CLIENT_ERROR],
                            kinds[SERVER_ERROR],
                            kinds[GONE],
                            share(newTimes, 0.5),
                            share(newTimes, 0.99)));
        } finally {
            lock.unlock();
        }
    }

    private static long[] sums(LongAdder[] adders) {
        long[] sums = new long[adders.length];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = adders[i].sum();
        }
        return sums;
    }

    private static long[] difference(long[] now, long[] before) {
        long[] difference = new long[now.length];
        for (int i = 0; i < now.length; i++) {
            difference[i] = now[i] - before[i];
        }
        return difference;
    }

    private static double share(long[] counts, double share) {
        long all = 0;
        for (long count : counts) {
            all += count;
        }
        long wanted = (long) Math.ceil(all * share);
        for (int i = 0; i < counts.length && all > 0; i++) {
            wanted -= counts[i];
            if (wanted <= 0) {
                return most(i);
            }
        }
        return 0;
    }

    /**
     * Returns the samples.
     *
     * @return the oldest first, at most {@link #KEPT}
     */
    public List<Sample> samples() {
        lock.lock();
        try {
            return new ArrayList<>(samples);
        } finally {
            lock.unlock();
        }
    }
}
