package org.lrwp.bench.cache;

import java.io.IOException;
import java.nio.file.Path;

/** Makes stores by name. */
final class Stores {
    private Stores() {}

    /**
     * Makes one.
     *
     * @param folder an empty one, in memory
     * @param size bytes of its values
     * @param keys how many keys there are
     */
    static Store of(String name, Path folder, long size, int keys) throws IOException {
        return switch (name) {
            case "cache-map" -> new CacheMapStore(folder, size);
            case "caffeine" -> new CaffeineStore(size);
            case "chronicle" -> new ChronicleStore(folder, size);
            case "ehcache" -> new EhcacheStore(size);
            case "jcs" -> new JcsStore(size);
            case "mapdb" -> new MapDbStore(folder, size);
            case "ohc" -> new OhcStore(size);
            case "one-nio" -> new OneNioStore(folder, size, keys);
            default -> throw new IllegalArgumentException("there is no cache " + name);
        };
    }
}
