package org.lrwp.engine.exchange;

import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;

import java.util.Objects;

/**
 * What all exchanges share.
 *
 * @param clock the engine's clock
 * @param deadlines the engine's deadlines
 * @param store where bodies wait
 * @param end told once of the end of each exchange
 */
public record ExchangeEnvironment(NanoClock clock, Deadlines deadlines, SpoolStore store, End end) {
    /** Checks that nothing is missing. */
    public ExchangeEnvironment {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(deadlines, "deadlines");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(end, "end");
    }

    /** Is told of the end of an exchange. Called from any thread; must not block. */
    @FunctionalInterface
    public interface End {
        /**
         * The client's side of an exchange is over.
         *
         * @param exchange the exchange
         * @param record what happened
         */
        void ended(Exchange exchange, ExchangeRecord record);
    }
}
