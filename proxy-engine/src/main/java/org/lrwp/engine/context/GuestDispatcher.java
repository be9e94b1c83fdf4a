package org.lrwp.engine.context;

import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;

/**
 * A context as it is for the requests of other proxies: they get a slot that is free now, or none.
 * They never go on to a third proxy. One whose peer has left it waits like any other, before the
 * others. Thread-safe; never blocks.
 */
final class GuestDispatcher implements Dispatcher {
    private final ContextAssistant assistant;

    GuestDispatcher(ContextAssistant assistant) {
        this.assistant = assistant;
    }

    @Override
    public String contextName() {
        return assistant.contextName();
    }

    @Override
    public void submit(Exchange exchange) {
        exchange.tries().stay();
        if (!assistant.serveNow(exchange)) {
            exchange.fail(Failure.QUEUE_FULL);
        }
    }

    @Override
    public void offer(Exchange exchange) {
        // Its body comes whole.
    }

    @Override
    public void resubmit(Exchange exchange) {
        assistant.resubmit(exchange);
    }

    @Override
    public void withdraw(Exchange exchange) {
        assistant.withdraw(exchange);
    }

    @Override
    public void tried(Object instance, boolean good) {
        assistant.tried(instance, good);
    }

    @Override
    public void ended(ExchangeRecord exchange) {
        if (!exchange.peer().isEmpty()) {
            assistant.ended(exchange);
        }
    }
}
