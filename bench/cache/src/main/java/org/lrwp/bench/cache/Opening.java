package org.lrwp.bench.cache;

import org.lrwp.cachemap.CacheFileException;
import org.lrwp.cachemap.CacheMap;
import org.lrwp.cachemap.CacheMapConfig;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** How long a file takes to open. */
final class Opening {
    private static final int MEAN = 4096;

    private Opening() {}

    /**
     * Fills a file and prints a line, then waits to be killed: nothing is closed in order.
     *
     * @param share of the file that is filled
     */
    static void fill(Path file, long size, double share)
            throws CacheFileException, InterruptedException {
        CacheMap map = CacheMap.open(CacheMapConfig.of(file, size));
        Values values = new Values();
        long entries = (long) ((double) size / MEAN * share);
        for (long key = 0; key < entries; key++) {
            map.put(key, ByteBuffer.wrap(values.of(key)), Duration.ZERO);
        }
        System.out.println("filled " + map.statistics().entries());
        Thread.sleep(Duration.ofDays(1));
    }

    static void open(Path file, long size) throws CacheFileException {
        long begin = System.nanoTime();
        try (CacheMap map = CacheMap.open(CacheMapConfig.of(file, size))) {
            double millis = (System.nanoTime() - begin) / 1e6;
            System.out.printf(
                    Locale.ROOT,
                    "opened millis=%.1f entries=%d outcome=%s%n",
                    millis,
                    map.statistics().entries(),
                    map.recovery().outcome());
        }
    }
}
