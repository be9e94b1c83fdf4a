package org.lrwp.bench.cache;

import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;
import org.jspecify.annotations.Nullable;

/** Off heap, gone with its process. */
final class EhcacheStore implements Store {
    private final CacheManager manager;
    private final Cache<Long, byte[]> cache;

    EhcacheStore(long size) {
        ResourcePoolsBuilder pools =
                ResourcePoolsBuilder.newResourcePoolsBuilder().offheap(size >> 20, MemoryUnit.MB);
        manager =
                CacheManagerBuilder.newCacheManagerBuilder()
                        .withCache(
                                "bench",
                                CacheConfigurationBuilder.newCacheConfigurationBuilder(
                                        Long.class, byte[].class, pools))
                        .build(true);
        cache = manager.getCache("bench", Long.class, byte[].class);
    }

    @Override
    public void put(long key, byte[] value) {
        cache.put(key, value);
    }

    @Override
    public byte @Nullable [] get(long key) {
        return cache.get(key);
    }

    @Override
    public void close() {
        manager.close();
    }
}
