package org.lrwp.engine.testkit;

import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;

import java.util.ArrayList;
import java.util.List;

/** A context that writes down what it is told and does nothing of itself. */
public final class RecordingContext implements Dispatcher {
    private final List<String> calls = new ArrayList<>();

    @Override
    public String contextName() {
        return "/osp";
    }

    @Override
    public void submit(Exchange exchange) {
        calls.add("submit");
    }

    @Override
    public void offer(Exchange exchange) {
        calls.add("offer");
    }

    @Override
    public void resubmit(Exchange exchange) {
        calls.add("resubmit");
    }

    @Override
    public void withdraw(Exchange exchange) {
        calls.add("withdraw");
    }

    @Override
    public void tried(Object instance, boolean good) {}

    @Override
    public void ended(ExchangeRecord exchange) {
        calls.add("ended " + exchange.reason());
    }

    /** What it was told, in this order. */
    public List<String> calls() {
        return calls;
    }
}
