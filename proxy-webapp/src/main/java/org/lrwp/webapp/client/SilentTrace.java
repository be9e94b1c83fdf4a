package org.lrwp.webapp.client;

import org.lrwp.engine.exchange.RequestTrace;

/**
 * Passes the context of a trace on for a request that goes on when the one that began it is over.
 *
 * @param trace of that one
 */
record SilentTrace(RequestTrace trace) implements RequestTrace {
    @Override
    public String id() {
        return trace.id();
    }

    @Override
    public String parent() {
        return trace.parent();
    }

    @Override
    public String state() {
        return trace.state();
    }
}
