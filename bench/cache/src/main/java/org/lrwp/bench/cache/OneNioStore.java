package org.lrwp.bench.cache;

import one.nio.mem.SharedMemoryBlobMap;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;

/** One mapped file, survives a restart in order; works by sun.misc.Unsafe. */
final class OneNioStore implements Store {
    private final SharedMemoryBlobMap map;

    OneNioStore(Path folder, long size, int keys) throws IOException {
        map = new SharedMemoryBlobMap(keys, folder.resolve("one-nio").toString(), size);
    }

    @Override
    public void put(long key, byte[] value) {
        try {
            map.put(key, value);
        } catch (OutOfMemoryError e) {
            // What it says when its file is full: the value is not stored.
            map.remove(key);
        }
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
