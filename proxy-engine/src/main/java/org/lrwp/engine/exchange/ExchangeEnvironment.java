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

        /** An exchange fails: it has ended in a moment, and then its client is told. */
        default void failing() {}

        /** The client of one that has failed is told. */
        default void failed() {}

        /**
         * An exchange goes to another connection.
         *
         * @param context its context
         * @param why what became of it at the connection before
         */
        default void retried(String context, Failure why) {}

        /**
         * Says whether one more request may be sent that is to become a tunnel.
         *
         * @return false while there are as many tunnels as there may be
         */
        default boolean hasTunnelRoom() {
            return true;
        }

        /**
         * An exchange becomes a tunnel: it counts as one from now on to its end.
         *
         * @param exchange the exchange
         * @return false when there are too many, and it cannot
         */
        default boolean opensTunnel(Exchange exchange) {
            return true;
        }
    }
}
