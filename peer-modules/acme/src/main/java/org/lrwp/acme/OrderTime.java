package org.lrwp.acme;

import org.shredzone.acme4j.exception.AcmeException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The time that an order has left. */
final class OrderTime {
    private final InstantSource clock;
    private final Duration all;
    private final Instant deadline;

    /** Begins now. */
    OrderTime(AcmeConfig config, InstantSource clock) {
        this.clock = clock;
        this.all = config.times().order();
        this.deadline = clock.instant().plus(all);
    }

    /**
     * Returns what is left.
     *
     * @throws AcmeException when nothing is
     */
    Duration left() throws AcmeException {
        Duration left = Duration.between(clock.instant(), deadline);
        if (left.isNegative() || left.isZero()) {
            throw new AcmeException("it took longer than order-timeout = " + all.toMillis() + "ms");
        }
        return left;
    }
}
