package org.lrwp.bench.cache;

import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.HTreeMap;
import org.mapdb.Serializer;

import java.nio.file.Path;

/** A mapped file, survives a restart in order. */
final class MapDbStore implements Store {
    private final DB db;
    private final HTreeMap<Long, byte[]> map;

    MapDbStore(Path folder, long size) {
        db =
                DBMaker.fileDB(folder.resolve("mapdb").toFile())
                        .fileMmapEnable()
                        .fileMmapPreclearDisable()
                        .make();
        map =
                db.hashMap("bench", Serializer.LONG, Serializer.BYTE_ARRAY)
                        .expireStoreSize(size)
                        .expireAfterCreate()
                        .create();
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
        db.close();
    }
}
