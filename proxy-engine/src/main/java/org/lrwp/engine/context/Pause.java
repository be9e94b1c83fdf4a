package org.lrwp.engine.context;

import java.util.Objects;

/**
 * What clients are told of a paused context.
 *
 * @param text a sentence for people
 * @param retryAfterSeconds value of {@code Retry-After}; 0 for none
 */
public record Pause(String text, int retryAfterSeconds) {
    /** Checks both. */
    public Pause {
        Objects.requireNonNull(text, "text");
        if (retryAfterSeconds < 0) {
            throw new IllegalArgumentException("retryAfterSeconds is below 0");
        }
    }
}
