package org.lrwp.bench.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.jspecify.annotations.Nullable;

/** On the heap; returns the value itself, without a copy. */
final class CaffeineStore implements Store {
    private final Cache<Long, byte[]> cache;

    CaffeineStore(long size) {
        cache =
                Caffeine.newBuilder()
                        .maximumWeight(size)
                        .weigher((Long key, byte[] value) -> value.length)
                        .build();
    }

    @Override
    public void put(long key, byte[] value) {
        // The caller's array is used again: what is kept is a copy.
        cache.put(key, value.clone());
    }

    @Override
    public byte @Nullable [] get(long key) {
        return cache.getIfPresent(key);
    }

    @Override
    public void close() {
        cache.invalidateAll();
    }
}
