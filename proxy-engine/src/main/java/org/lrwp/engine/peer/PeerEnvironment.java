package org.lrwp.engine.peer;

import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;

import java.util.Objects;

/**
 * What the connections of an engine share.
 *
 * @param clock the engine's clock
 * @param deadlines the engine's deadlines
 * @param work who has requests for free slots
 * @param limits the limits of peers by context
 */
public record PeerEnvironment(
        NanoClock clock, Deadlines deadlines, WorkSource work, ContextLimits limits) {
    /** Checks that nothing is missing. */
    public PeerEnvironment {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(deadlines, "deadlines");
        Objects.requireNonNull(work, "work");
        Objects.requireNonNull(limits, "limits");
    }
}
