package org.lrwp.engine.time;

import java.time.InstantSource;
import java.util.Objects;

/**
 * All that a part of the engine knows of time.
 *
 * @param clock measures durations
 * @param ofDay says what is valid today
 * @param deadlines call back
 */
public record EngineTime(NanoClock clock, InstantSource ofDay, Deadlines deadlines) {
    /** Checks that nothing is missing. */
    public EngineTime {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(ofDay, "ofDay");
        Objects.requireNonNull(deadlines, "deadlines");
    }
}
