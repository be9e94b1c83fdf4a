package org.lrwp.engine.exchange;

/** Is told of the end of each exchange. Called from any thread; must not block. */
@FunctionalInterface
public interface ExchangeListener {
    /**
     * An exchange has ended.
     *
     * @param exchange what happened
     */
    void ended(ExchangeRecord exchange);
}
