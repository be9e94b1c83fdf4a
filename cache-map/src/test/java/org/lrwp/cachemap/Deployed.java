package org.lrwp.cachemap;

import java.nio.file.Path;

/** An application that opens a map, uses it and closes it when it is undeployed. */
public final class Deployed {
    private Deployed() {}

    /** Puts one more entry; returns how many were there. */
    public static int run(Path file) throws Exception {
        try (CacheMap map = CacheMap.open(CacheMapConfig.of(file, 1 << 20))) {
            int before = (int) map.recovery().counts().kept();
            map.put(before, new byte[] {1});
            return before;
        }
    }
}
