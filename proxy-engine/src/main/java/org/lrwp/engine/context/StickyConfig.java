package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.identity.Secret;

import java.time.Duration;
import java.util.Objects;

/**
 * Whether clients of a context come back to the process that has answered them.
 *
 * @param on whether they do
 * @param patience how long a request waits for that process while it is busy; then any other gets
 *     it
 * @param key makes the tags, so that they stay the same over restarts; null = one of this run
 */
public record StickyConfig(boolean on, Duration patience, @Nullable Secret key) {
    /** Any process gets any request. */
    public static final StickyConfig OFF = new StickyConfig(false, Duration.ZERO, null);

    /** Checks all values. */
    public StickyConfig {
        Objects.requireNonNull(patience, "patience");
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience " + patience + " is negative");
        }
    }
}
