package org.lrwp.webapp.servlet;

import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.cache.Front;
import org.lrwp.engine.context.ContextMatch;

/** Hands requests whose context is known to the engine: what all fronts share. Any thread. */
final class Opening {
    private final ProxyEngine engine;
    private final ClientSettings settings;

    Opening(ProxyEngine engine, ClientSettings settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /** Begins the exchange of a request. The front's thread calls it, last. */
    void open(Arrival arrival, ContextMatch match, ClientCall call) {
        ServletClient client = arrival.client(call, settings);
        var request = new MatchedRequest(engine, match, arrival, client, settings.config().env());
        Front front = engine.front(match);
        if (front == null) {
            client.start(request.open(client));
        } else {
            client.frontedBy(request::line);
            front.take(request);
            client.start(request.opened());
        }
    }
}
