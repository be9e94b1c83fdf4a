package org.lrwp.webapp.operations;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;

import java.util.concurrent.atomic.AtomicInteger;

/** Says which requests write a line when not all do. Thread-safe. */
final class Sample {
    private static final int FIRST_ERROR = 400;

    private final AtomicInteger good = new AtomicInteger();

    /**
     * Whether a request writes a line: of those that went well one in so many, of others each.
     *
     * @param oneIn so many, at least 1
     */
    boolean takes(ExchangeRecord exchange, int oneIn) {
        return oneIn == 1 || !isGood(exchange) || good.getAndIncrement() % oneIn == 0;
    }

    /** An answer that was cut has the status it began with: its reason word tells. */
    private static boolean isGood(ExchangeRecord exchange) {
        return exchange.status() > 0
                && exchange.status() < FIRST_ERROR
                && !Failure.isWord(exchange.reason());
    }
}
