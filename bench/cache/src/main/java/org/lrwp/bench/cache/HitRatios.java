package org.lrwp.bench.cache;

import org.lrwp.cachemap.CacheFileException;
import org.lrwp.cachemap.CacheMap;
import org.lrwp.cachemap.CacheMapConfig;
import org.lrwp.cachemap.Eviction;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Hit ratios of the map's rules beside others, with room for the same number of entries. */
final class HitRatios {
    private static final int KEYS = 200_000;
    private static final int ROOM = 20_000;
    private static final int VALUE = 200;
    private static final long FILE = 5L << 20;

    private HitRatios() {}

    static void print(Path folder, int requests) throws IOException {
        Map<String, long[]> traces = new LinkedHashMap<>();
        for (double exponent : new double[] {0.7, 0.9, 1.0}) {
            traces.put("zipf-" + exponent, Trace.zipf(KEYS, exponent, requests, 7));
        }
        long[] busy = Trace.zipf(KEYS, 0.9, requests, 7);
        traces.put("zipf-0.9-with-scans", Trace.withScans(busy, 100_000, ROOM));
        for (var trace : traces.entrySet()) {
            int room = 0;
            for (Eviction eviction : Eviction.values()) {
                long entries = map(folder, trace.getKey(), eviction, trace.getValue());
                room = eviction == Eviction.FIFO ? (int) entries : room;
            }
            other(trace.getKey(), "fifo", Policies.fifo(room), trace.getValue());
            other(trace.getKey(), "lru", Policies.lru(room), trace.getValue());
            other(trace.getKey(), "s3-fifo", Policies.s3Fifo(room), trace.getValue());
        }
    }

    private static long map(Path folder, String trace, Eviction eviction, long[] keys)
            throws IOException {
        Path file = folder.resolve("ratio");
        Files.deleteIfExists(file);
        byte[] value = new byte[VALUE];
        try (CacheMap map = open(file, eviction)) {
            int hits = 0;
            for (int i = 0; i < keys.length; i++) {
                boolean hit = map.contains(keys[i]);
                if (!hit) {
                    map.put(keys[i], value);
                }
                hits += hit && counts(i, keys) ? 1 : 0;
            }
            long entries = map.statistics().entries();
            String name = "map-" + eviction.name().toLowerCase(Locale.ROOT);
            print(trace, name, hits, keys.length, entries);
            return entries;
        }
    }

    private static CacheMap open(Path file, Eviction eviction) throws CacheFileException {
        return CacheMap.open(
                CacheMapConfig.of(file, FILE).withSegmentSize(1 << 18).withEviction(eviction));
    }

    private static void other(String trace, String name, Policies.Policy policy, long[] keys) {
        int hits = 0;
        for (int i = 0; i < keys.length; i++) {
            hits += policy.request(keys[i]) && counts(i, keys) ? 1 : 0;
        }
        print(trace, name, hits, keys.length, -1);
    }

    /** The first half fills the cache. */
    private static boolean counts(int request, long[] keys) {
        return request >= keys.length / 2;
    }

    private static void print(String trace, String name, int hits, int requests, long entries) {
        System.out.printf(
                Locale.ROOT,
                "ratio %s %s hits=%.4f entries=%d%n",
                trace,
                name,
                (double) hits / (requests - requests / 2),
                entries);
    }
}
