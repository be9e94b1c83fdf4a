package org.lrwp.bench.cache;

import org.caffinitas.ohc.CacheSerializer;
import org.caffinitas.ohc.OHCache;
import org.caffinitas.ohc.OHCacheBuilder;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Off heap, gone with its process; works by sun.misc.Unsafe. */
final class OhcStore implements Store {
    private final OHCache<Long, byte[]> cache;

    OhcStore(long size) {
        cache =
                OHCacheBuilder.<Long, byte[]>newBuilder()
                        .keySerializer(new Keys())
                        .valueSerializer(new Values())
                        .capacity(size)
                        .build();
    }

    private static final class Keys implements CacheSerializer<Long> {
        @Override
        public void serialize(Long value, ByteBuffer into) {
            into.putLong(value);
        }

        @Override
        public Long deserialize(ByteBuffer from) {
            return from.getLong();
        }

        @Override
        public int serializedSize(Long value) {
            return Long.BYTES;
        }
    }

    private static final class Values implements CacheSerializer<byte[]> {
        @Override
        public void serialize(byte[] value, ByteBuffer into) {
            into.putInt(value.length).put(value);
        }

        @Override
        public byte[] deserialize(ByteBuffer from) {
            byte[] value = new byte[from.getInt()];
            from.get(value);
            return value;
        }

        @Override
        public int serializedSize(byte[] value) {
            return Integer.BYTES + value.length;
        }
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
    public void close() throws IOException {
        cache.close();
    }
}
