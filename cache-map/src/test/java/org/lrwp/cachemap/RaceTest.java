package org.lrwp.cachemap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Readers against a writer that keeps changing the same segment. The same check finds a reader that
 * does not look at the sequence afterwards: a planted fault.
 */
class RaceTest {
    private static final int LENGTH = 1500;
    private static final int SHORTER = 1200;
    private static final int KEYS = 4;
    private static final long NANOS = 1_000_000_000;

    @TempDir private Path folder;

    /** Keeps what was copied first, whether or not the segment changed meanwhile. */
    private static final class Careless implements Reading {
        private byte[] first = new byte[0];

        @Override
        public void copy(MemorySegment map, long from, int length) {
            if (first.length == 0) {
                first = new byte[length];
                MemorySegment.copy(map, ValueLayout.JAVA_BYTE, from, first, 0, length);
            }
        }
    }

    @Test
    void readersSeeWholeValuesOnly() throws Exception {
        CacheMapConfig config =
                CacheMapConfig.of(folder.resolve("map"), 2 * 4096L + (1 << 14))
                        .withSegmentSize(1 << 14);
        try (CacheMap map = CacheMap.open(config)) {
            ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
            AtomicLong reads = new AtomicLong();
            long torn =
                    race(
                            map,
                            key -> {
                                byte[] value = map.get(key);
                                boolean good = value == null || isWhole(value, value.length, key);
                                int length = map.get(key, buffer);
                                reads.addAndGet(length > 0 ? 1 : 0);
                                return good && (length < 0 || isWhole(buffer.array(), length, key));
                            },
                            Long.MAX_VALUE);
            assertEquals(0, torn);
            assertTrue(reads.get() > 1000, "reads " + reads);
        }
    }

    @Test
    void theSameCheckFindsAReaderThatDoesNotLookAgain() throws Exception {
        CacheMapConfig config =
                CacheMapConfig.of(folder.resolve("map"), 2 * 4096L + (1 << 14))
                        .withSegmentSize(1 << 14);
        try (CacheMap map = CacheMap.open(config)) {
            long torn =
                    race(
                            map,
                            key -> {
                                Careless careless = new Careless();
                                map.read(key, careless);
                                byte[] first = careless.first;
                                return first.length == 0 || isWhole(first, first.length, key);
                            },
                            1);
            assertTrue(torn > 0, "the planted fault was not found");
        }
    }

    private interface Look {
        boolean isGood(long key);
    }

    /** Reads until the time is over or enough was found; returns how many reads were torn. */
    private static long race(CacheMap map, Look look, long enough) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            writers.add(Thread.ofPlatform().start(() -> write(map, over)));
        }
        long torn = 0;
        // Long enough for a slow machine where a fault has to be found.
        long end = System.nanoTime() + (enough == 1 ? 60 * NANOS : 3 * NANOS);
        for (long i = 0; System.nanoTime() < end && torn < enough; i++) {
            torn += look.isGood(i % KEYS) ? 0 : 1;
        }
        over.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
        return torn;
    }

    /**
     * Each version of a value is one byte, repeated: the version's, with the key in its low bits.
     * Most are written in the place of the one before; every fourth changes its size and moves.
     */
    private static void write(CacheMap map, AtomicBoolean over) {
        for (int version = 0; !over.get(); version++) {
            for (int key = 0; key < KEYS; key++) {
                byte[] value = new byte[(version & 4) == 0 ? LENGTH : SHORTER];
                Arrays.fill(value, (byte) ((version << 2) | key));
                map.put(key, value);
            }
        }
    }

    private static boolean isWhole(byte[] value, int length, long key) {
        if ((length != LENGTH && length != SHORTER) || (value[0] & 3) != key) {
            return false;
        }
        for (int i = 1; i < length; i++) {
            if (value[i] != value[0]) {
                return false;
            }
        }
        return true;
    }
}
