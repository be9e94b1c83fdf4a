package org.lrwp.bench.cache;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Some threads that use a store for a time, with keys by chance. */
final class Workload {
    /** Every so many operations are timed one by one. */
    private static final int SAMPLED = 64;

    private static final int MOST_SAMPLES = 1 << 17;

    /** The keys' values take a quarter of the room. */
    private static final int FILLS = 5;

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Store store;
    private final Values values;
    private final int keys;

    Workload(Store store, Values values, int keys) {
        this.store = store;
        this.values = values;
        this.keys = keys;
    }

    /** What is done, in the order in which it is measured. */
    enum Kind {
        PUT(100),
        MIX(10),
        GET(0);

        private final int puts;

        /** Takes how many of a hundred operations are puts. */
        Kind(int puts) {
            this.puts = puts;
        }
    }

    /**
     * What was measured.
     *
     * @param nanos processor time of the process for each operation
     * @param rate operations a second on the clock
     * @param hits share of the reads
     * @param wrong values that came back and have not the length of their key's
     * @param median of single operations, nanoseconds
     * @param p999 of single operations, nanoseconds
     */
    record Result(double nanos, double rate, double hits, long wrong, long median, long p999) {}

    /** One thread's share. */
    private final class Share implements Runnable {
        private final SplittableRandom random;
        private final int puts;
        private final long until;
        private final byte[] room = new byte[Values.LARGEST];
        private final long[] samples = new long[MOST_SAMPLES];
        private int sampled;
        private long operations;
        private long reads;
        private long hits;
        private long wrong;

        Share(long seed, Kind kind, long until) {
            this.random = new SplittableRandom(seed);
            this.puts = kind.puts;
            this.until = until;
        }

        @Override
        public void run() {
            while (System.nanoTime() < until) {
                long begin = System.nanoTime();
                step();
                samples[sampled++ % MOST_SAMPLES] = System.nanoTime() - begin;
                for (int i = 1; i < SAMPLED; i++) {
                    step();
                }
            }
        }

        private void step() {
            long key = random.nextInt(keys);
            operations++;
            if (random.nextInt(100) < puts) {
                store.put(key, values.of(key));
                return;
            }
            reads++;
            int length = store.get(key, room);
            if (length >= 0) {
                hits++;
                wrong += length == Values.lengthOf(key) ? 0 : 1;
            }
        }

        long[] samples() {
            return Arrays.copyOf(samples, Math.min(sampled, MOST_SAMPLES));
        }
    }

    /**
     * Writes each key several times, with two threads: all pages of a file that is written all
     * round have been touched then.
     */
    void fill() throws InterruptedException {
        Thread other = Thread.ofPlatform().start(() -> write(1));
        write(0);
        other.join();
    }

    private void write(int first) {
        for (int i = 0; i < FILLS; i++) {
            for (int key = first; key < keys; key += 2) {
                store.put(key, values.of(key));
            }
        }
    }

    /** Reads each key and compares all bytes of what comes back; returns how many differ. */
    long wrongValues() {
        long wrong = 0;
        for (int key = 0; key < keys; key++) {
            byte[] value = store.get(key);
            wrong += value == null || Arrays.equals(value, values.of(key)) ? 0 : 1;
        }
        return wrong;
    }

    Result run(Kind kind, int threads, double seconds) throws InterruptedException {
        long begin = System.nanoTime();
        long cpu = SYSTEM.getProcessCpuTime();
        List<Share> shares = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Share share = new Share(begin + i, kind, begin + (long) (seconds * 1e9));
            shares.add(share);
            running.add(Thread.ofPlatform().start(share));
        }
        for (Thread thread : running) {
            thread.join();
        }
        double used = SYSTEM.getProcessCpuTime() - cpu;
        double taken = (System.nanoTime() - begin) / 1e9;
        return sum(shares, used, taken);
    }

    private static Result sum(List<Share> shares, double used, double taken) {
        long operations = shares.stream().mapToLong(share -> share.operations).sum();
        long reads = shares.stream().mapToLong(share -> share.reads).sum();
        long hits = shares.stream().mapToLong(share -> share.hits).sum();
        long[] samples =
                shares.stream()
                        .flatMapToLong(share -> Arrays.stream(share.samples()))
                        .sorted()
                        .toArray();
        return new Result(
                used / operations,
                operations / taken,
                reads == 0 ? 0 : (double) hits / reads,
                shares.stream().mapToLong(share -> share.wrong).sum(),
                samples[samples.length / 2],
                samples[(int) (samples.length * 0.999)]);
    }
}
