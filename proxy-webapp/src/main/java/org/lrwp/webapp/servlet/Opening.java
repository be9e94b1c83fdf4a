package org.lrwp.webapp.servlet;

import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.cache.Front;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Failure;

import java.net.InetAddress;

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
        InetAddress address = arrival.head().connection().remoteAddress();
        switch (settings.requests().enter(address)) {
            case FREE -> begin(arrival, match, call);
            case COUNTED ->
                    begin(
                            arrival,
                            match,
                            new CountedCall(call, () -> settings.requests().leave(address)));
            case REFUSED -> {
                ServletClient client = arrival.client(call, settings);
                client.fail(Failure.TOO_MANY_EXCHANGES);
                client.start(null);
            }
        }
    }

    private void begin(Arrival arrival, ContextMatch match, ClientCall call) {
        ServletClient client = arrival.client(call, settings);
        var request = new MatchedRequest(engine, match, arrival, client, settings.config().env());
        Front front = engine.front(match);
        if (front == null || request.offersUpgrade()) {
            client.start(request.open(client));
        } else {
            client.frontedBy(request::line);
            front.take(request);
            client.start(request.opened());
        }
    }
}
