package org.lrwp.bench.cache;

import net.openhft.chronicle.map.ChronicleMap;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A mapped file; no cache: nothing leaves it, and a put fails when it is full. Works by forbidden
 * access.
 */
final class ChronicleStore implements Store {
    private static final int MEAN = 4096;
    private final ChronicleMap<Long, byte[]> map;

    ChronicleStore(Path folder, long size) throws IOException {
        map =
                ChronicleMap.of(Long.class, byte[].class)
                        .name("bench")
                        .entries(size / MEAN)
                        .averageValueSize(MEAN)
                        .createPersistedTo(folder.resolve("chronicle").toFile());
    }

    @Override
    public void put(long key, byte[] value) {
        map.put(key, value);
    }

    @Override
    public byte @Nullable [] get(long key) {
        return map.get(key);
    }

    @Override
    public void close() {
        map.close();
    }
}
