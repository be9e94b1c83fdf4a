package org.lrwp.bench.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheFileException;
import org.lrwp.cachemap.CacheMap;
import org.lrwp.cachemap.CacheMapConfig;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/** Ours: off heap, shared, copies to the caller's buffer, a checksum with each put. */
final class CacheMapStore implements Store {
    private final CacheMap map;

    CacheMapStore(Path folder, long size) throws CacheFileException {
        map = CacheMap.open(CacheMapConfig.of(folder.resolve("cache-map"), size));
    }

    @Override
    public void put(long key, byte[] value) {
        map.put(key, ByteBuffer.wrap(value), Duration.ZERO);
    }

    @Override
    public byte @Nullable [] get(long key) {
        return map.get(key);
    }

    @Override
    public int get(long key, byte[] room) {
        return map.get(key, ByteBuffer.wrap(room));
    }

    @Override
    public void close() {
        map.close();
    }
}
