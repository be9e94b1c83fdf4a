package org.lrwp.bench.cache;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Requests one after the other, as keys. */
final class Trace {
    private Trace() {}

    /** Keys by Zipf's law: the n-th most wanted is asked for in proportion to 1 / n^s. */
    static long[] zipf(int keys, double exponent, int requests, long seed) {
        double[] sums = new double[keys];
        double sum = 0;
        for (int i = 0; i < keys; i++) {
            sum += 1 / Math.pow(i + 1, exponent);
            sums[i] = sum;
        }
        SplittableRandom random = new SplittableRandom(seed);
        long[] trace = new long[requests];
        for (int i = 0; i < requests; i++) {
            int at = Arrays.binarySearch(sums, random.nextDouble() * sum);
            trace[i] = Values.mix(at < 0 ? Math.min(-at - 1, keys - 1) : at);
        }
        return trace;
    }

    /** The same, with runs of keys between that nobody asks for again. */
    static long[] withScans(long[] trace, int every, int length) {
        long[] scanned = trace.clone();
        long fresh = 1L << 40;
        for (int at = every; at + length <= scanned.length; at += every) {
            for (int i = 0; i < length; i++) {
                scanned[at + i] = Values.mix(fresh++);
            }
        }
        return scanned;
    }
}
