package org.lrwp.bench.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

/** The rules that the map's are compared with. */
class PoliciesTest {
    @Test
    void fifoForgetsTheOldestEvenWhenItWasRead() {
        Policies.Policy fifo = Policies.fifo(2);

        ask(fifo, 1, 2, 1, 3);

        assertFalse(fifo.request(1));
    }

    @Test
    void lruForgetsWhatWasNotAskedForLongest() {
        Policies.Policy lru = Policies.lru(2);

        ask(lru, 1, 2, 1, 3);

        assertTrue(lru.request(1));
        assertFalse(lru.request(2));
    }

    @Test
    void s3FifoKeepsWhatWasReadTwiceThroughAScan() {
        Policies.Policy s3Fifo = Policies.s3Fifo(20);
        ask(s3Fifo, 1, 1, 1);

        for (long key = 100; key < 200; key++) {
            ask(s3Fifo, key);
        }

        assertTrue(s3Fifo.request(1));
        assertFalse(s3Fifo.request(100));
    }

    @Test
    void s3FifoTakesAGhostAtOnce() {
        Policies.Policy s3Fifo = Policies.s3Fifo(20);
        for (long key = 0; key < 21; key++) {
            ask(s3Fifo, key);
        }
        ask(s3Fifo, 0);

        for (long key = 100; key < 140; key++) {
            ask(s3Fifo, key);
        }

        assertTrue(s3Fifo.request(0));
    }

    @Test
    void zipfAsksForTheFirstAsOftenAsTheLawSays() {
        long[] trace = Trace.zipf(1000, 1.0, 100_000, 1);

        long first = Arrays.stream(trace).filter(key -> key == Values.mix(0)).count();
        double harmonic = 7.485;
        assertEquals(100_000 / harmonic, (double) first, 500);
    }

    @Test
    void aScanAsksForNoKeyTwice() {
        long[] trace = Trace.withScans(new long[1000], 100, 50);

        long[] scanned = Arrays.stream(trace).filter(key -> key != 0).toArray();
        assertEquals(9 * 50, scanned.length);
        assertEquals(scanned.length, Arrays.stream(scanned).distinct().count());
    }

    private static void ask(Policies.Policy policy, long... keys) {
        for (long key : keys) {
            policy.request(key);
        }
    }
}
