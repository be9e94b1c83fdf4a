package org.lrwp.engine.context;

import java.time.Duration;
import java.util.Objects;

/**
 * Whether clients of a context come back to the process that has answered them.
 *
 * @param on whether they do
 * @param patience how long a request waits for that process while it is busy; then any other gets
 *     it
 * @param hash makes tags of names; the same for the same key, so that they outlive a restart
 */
public record StickyConfig(boolean on, Duration patience, Hash hash) {
    /** Any process gets any request. */
    public static final StickyConfig OFF =
            new StickyConfig(false, Duration.ZERO, text -> new byte[0]);

    /** A keyed hash: it tells nobody what it is of, and nobody can make it without the key. */
    @FunctionalInterface
    public interface Hash {
        /**
         * Hashes a text.
         *
         * @param text whose hash is wanted
         * @return at least 16 bytes
         */
        byte[] of(String text);
    }

    /** Checks all values. */
    public StickyConfig {
        Objects.requireNonNull(patience, "patience");
        Objects.requireNonNull(hash, "hash");
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience " + patience + " is negative");
        }
    }
}
