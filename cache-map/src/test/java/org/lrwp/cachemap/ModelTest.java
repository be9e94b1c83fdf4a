package org.lrwp.cachemap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random operations beside a plain map that follows the same rules. */
class ModelTest {
    private static final int SEGMENT = 1 << 14;

    @TempDir private Path folder;

    private CacheMapConfig config(Eviction eviction, int segments) {
        return CacheMapConfig.of(folder.resolve("map"), 2 * 4096L + (long) segments * SEGMENT)
                .withSegmentSize(SEGMENT)
                .withEviction(eviction);
    }

    @Test
    void oneSegmentEvictsInTheOrderOfWriting() throws Exception {
        Random random = new Random(7);
        Map<Long, byte[]> model = new HashMap<>();
        Deque<Long> order = new ArrayDeque<>();
        try (CacheMap map = CacheMap.open(config(Eviction.FIFO, 1))) {
            for (long key = 0; key < 5_000; key++) {
                byte[] value = value(key, random.nextInt(400));
                assertEquals(PutResult.ADDED, map.put(key, value));
                model.put(key, value);
                order.add(key);
                // What the map has dropped has to be the oldest of the model, in order.
                while (map.statistics().entries() < order.size()) {
                    long gone = order.remove();
                    assertEquals(null, map.get(gone), "key " + gone);
                    model.remove(gone);
                }
                long probe = key - random.nextInt(60);
                if (model.containsKey(probe)) {
                    assertArrayEquals(model.get(probe), map.get(probe), "key " + probe);
                }
            }
            assertTrue(order.size() > 40, "entries " + order.size());
            assertEquals(5_000 - order.size(), map.statistics().evicted());
        }
    }

    @Test
    void aValueOfTheSameSizeTakesThePlaceOfTheOneBefore() throws Exception {
        try (CacheMap map = CacheMap.open(config(Eviction.FIFO, 1))) {
            for (long key = 0; key < 10; key++) {
                map.put(key, value(key, 200));
            }
            CacheStatistics before = map.statistics();

            for (long version = 1; version < 100; version++) {
                for (long key = 0; key < 10; key++) {
                    // 193 to 200 bytes of a value take the same room.
                    byte[] value = value(key + 10 * version, (int) (200 - version % 8));
                    assertEquals(PutResult.REPLACED, map.put(key, value));
                    assertArrayEquals(value, map.get(key));
                }
            }

            assertEquals(before.used(), map.statistics().used());
            assertEquals(before.live(), map.statistics().live());
            assertEquals(0, map.statistics().evicted());
        }
        try (CacheMap map = CacheMap.open(config(Eviction.FIFO, 1))) {
            assertEquals(10, map.recovery().counts().kept());
            for (long key = 0; key < 10; key++) {
                assertArrayEquals(value(key + 990, 197), map.get(key), "key " + key);
            }
        }
    }

    @Test
    void anOldEntryThatIsPutAgainIsYoungAgain() throws Exception {
        try (CacheMap map = CacheMap.open(config(Eviction.FIFO, 1))) {
            map.put(-1, value(0, 200));
            long threeQuarters = map.statistics().capacity() * 3 / 4 / map.statistics().live();
            putAll(map, 0, threeQuarters);
            assertEquals(PutResult.REPLACED, map.put(-1, value(1, 200)));
            putAll(map, threeQuarters, 2 * threeQuarters);

            assertArrayEquals(value(1, 200), map.get(-1));
            assertEquals(null, map.get(0));
        }
    }

    @Test
    void anEntryThatWasReadOutlivesOlderAndYoungerOnes() throws Exception {
        try (CacheMap map = CacheMap.open(config(Eviction.REFERENCE_BIT, 1))) {
            byte[] value = new byte[200];
            map.put(-1, value(-1, 200));
            for (long key = 0; key < 2_000; key++) {
                map.put(key, value);
                if (key % 10 == 0) {
                    assertArrayEquals(value(-1, 200), map.get(-1), "after " + key);
                }
            }
            assertEquals(null, map.get(0));
            assertTrue(map.statistics().spared() > 10);
        }
    }

    @ParameterizedTest
    @EnumSource(Eviction.class)
    void randomOperationsNeverShowAnythingButTheNewestValue(Eviction eviction) throws Exception {
        long seed = 11;
        Random random = new Random(seed);
        Map<Long, byte[]> model = new HashMap<>();
        int found = 0;
        for (int restart = 0; restart < 4; restart++) {
            try (CacheMap map = CacheMap.open(config(eviction, 3))) {
                assertEquals(0, map.recovery().counts().dropped());
                for (int i = 0; i < 30_000; i++) {
                    found += step(map, model, random);
                }
                CacheStatistics statistics = map.statistics();
                assertTrue(statistics.live() <= statistics.used(), statistics.toString());
                assertTrue(statistics.used() <= statistics.capacity(), statistics.toString());
                assertEquals(0, statistics.damaged());
            }
        }
        assertTrue(found > 10_000, "found " + found);
    }

    private static int step(CacheMap map, Map<Long, byte[]> model, Random random) {
        long key = random.nextInt(400) - 200L;
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
                // One in three has the size of the one before, and may take its place.
                byte[] value = value(random.nextLong(), random.nextInt(3) * 200 + (int) (key & 63));
                PutResult result = map.put(key, value);
                if (result == PutResult.REPLACED) {
                    assertTrue(model.containsKey(key), "key " + key);
                }
                model.put(key, value);
            }
            case 3 -> {
                boolean removed = map.remove(key);
                byte[] before = model.remove(key);
                assertTrue(!removed || before != null, "key " + key);
            }
            case 4 -> {
                byte[] value = value(random.nextLong(), random.nextInt(100));
                if (map.putIfAbsent(key, value) == PutResult.ADDED) {
                    model.put(key, value);
                }
            }
            case 5 -> {
                byte[] value = value(random.nextLong(), random.nextInt(100));
                if (map.replace(key, value) == PutResult.REPLACED) {
                    assertTrue(model.containsKey(key), "key " + key);
                    model.put(key, value);
                }
            }
            default -> {
                byte[] value = map.get(key);
                if (value != null) {
                    assertArrayEquals(model.get(key), value, "key " + key);
                    return 1;
                }
            }
        }
        return 0;
    }

    /** Eviction rules on a scan: what the rule is for, in figures that a user would see. */
    @Test
    void ghostAdmissionKeepsMoreThanReferenceBitsAndTheseMoreThanFifo() throws Exception {
        List<Double> ratios = new ArrayList<>();
        for (Eviction eviction : Eviction.values()) {
            ratios.add(hitRatio(eviction));
            Files.delete(folder.resolve("map"));
        }
        assertTrue(ratios.get(1) > ratios.get(0) + 0.01, ratios.toString());
        assertTrue(ratios.get(2) > ratios.get(1) + 0.01, ratios.toString());
    }

    private double hitRatio(Eviction eviction) throws Exception {
        Random random = new Random(3);
        try (CacheMap map = CacheMap.open(config(eviction, 16))) {
            byte[] value = new byte[80];
            long scan = 1_000_000;
            for (int i = 0; i < 300_000; i++) {
                // Two thirds follow a skewed popularity, one third reads each key once.
                long key = i % 3 == 0 ? scan++ : (long) (20_000 * Math.pow(random.nextDouble(), 4));
                if (map.get(key) == null) {
                    map.put(key, value);
                }
            }
            return map.statistics().hitRatio();
        }
    }

    private static void putAll(CacheMap map, long from, long to) {
        for (long key = from; key < to; key++) {
            map.put(key, value(key, 200));
        }
    }

    private static byte[] value(long seed, int length) {
        byte[] value = new byte[length];
        new Random(seed).nextBytes(value);
        return value;
    }
}
