package org.lrwp.engine.context;

import java.time.Duration;

/**
 * When a peer that answers badly is left out for a while.
 *
 * @param badAnswers bad answers in a row after which it is; 0 = never
 * @param time how long the first time; each further time is longer by as much, up to ten times
 * @param mostPercent share of a context's peers that may be out at once, in percent; one always
 *     stays
 * @param slowStart how long the share that it gets grows when it is back; 0 = all at once
 */
public record HealthConfig(int badAnswers, Duration time, int mostPercent, Duration slowStart) {
    /** No peer is ever left out. */
    public static final HealthConfig OFF =
            new HealthConfig(0, Duration.ofSeconds(30), 50, Duration.ZERO);

    /** Checks all values. */
    public HealthConfig {
        if (badAnswers < 0 || time.isNegative() || slowStart.isNegative()) {
            throw new IllegalArgumentException(
                    "badAnswers " + badAnswers + ", time " + time + ", slowStart " + slowStart);
        }
        if (mostPercent < 0 || mostPercent > 100) {
            throw new IllegalArgumentException("mostPercent " + mostPercent + ": not 0 to 100");
        }
    }

    boolean isOff() {
        return badAnswers == 0;
    }
}
