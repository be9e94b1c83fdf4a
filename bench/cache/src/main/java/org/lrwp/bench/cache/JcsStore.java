package org.lrwp.bench.cache;

import org.apache.commons.jcs3.JCS;
import org.apache.commons.jcs3.access.CacheAccess;
import org.jspecify.annotations.Nullable;

import java.util.Properties;

/** On the heap; returns the value itself; counts entries, not bytes. */
final class JcsStore implements Store {
    private static final int MEAN = 4096;
    private final CacheAccess<Long, byte[]> cache;

    JcsStore(long size) {
        Properties settings = new Properties();
        settings.setProperty("jcs.default", "");
        settings.setProperty(
                "jcs.default.cacheattributes",
                "org.apache.commons.jcs3.engine.CompositeCacheAttributes");
        settings.setProperty("jcs.default.cacheattributes.MaxObjects", Long.toString(size / MEAN));
        settings.setProperty(
                "jcs.default.cacheattributes.MemoryCacheName",
                "org.apache.commons.jcs3.engine.memory.lru.LRUMemoryCache");
        JCS.setConfigProperties(settings);
        cache = JCS.getInstance("bench");
    }

    @Override
    public void put(long key, byte[] value) {
        cache.put(key, value.clone());
    }

    @Override
    public byte @Nullable [] get(long key) {
        return cache.get(key);
    }

    @Override
    public void close() {
        JCS.shutdown();
    }
}
