package org.lrwp.bench.cache;

import java.util.Random;

/**
 * Values of 0 to 8 KiB: which one a key has never changes, so that what comes back can be judged.
 */
final class Values {
    static final int LARGEST = 8191;
    private final byte[][] byLength = new byte[LARGEST + 1][];

    Values() {
        Random random = new Random(1);
        for (int length = 0; length <= LARGEST; length++) {
            byLength[length] = new byte[length];
            random.nextBytes(byLength[length]);
        }
    }

    byte[] of(long key) {
        return byLength[lengthOf(key)];
    }

    static int lengthOf(long key) {
        return (int) (mix(key) & LARGEST);
    }

    /** Spreads numbers: the finalizer of SplitMix64. */
    static long mix(long number) {
        long mixed = (number + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
