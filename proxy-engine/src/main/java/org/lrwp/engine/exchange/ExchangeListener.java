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

    /**
     * A request goes to another connection; told before that one has it.
     *
     * @param context its context
     * @param why what became of it at the connection before
     */
    default void retried(String context, Failure why) {}
}
