package org.lrwp.cachemap;

import java.io.IOException;

/** Says why a cache file cannot be used: its name, what is wrong and the limit at fault. */
public final class CacheFileException extends IOException {
    private static final long serialVersionUID = 1L;

    CacheFileException(String message) {
        super(message);
    }

    CacheFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
