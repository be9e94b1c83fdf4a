package org.lrwp.webapp.client;

import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.webapp.config.RequestConfig;

import java.util.Objects;

/**
 * What all clients share.
 *
 * @param config limits of requests and answers
 * @param clock a monotonic clock
 * @param stalls looks at slow clients
 * @param date the Date field
 * @param log told of requests that are no exchanges
 * @param requests counts what each address has in flight
 */
public record ClientSettings(
        RequestConfig config,
        NanoClock clock,
        StallWatch stalls,
        HttpDate date,
        ExchangeListener log,
        AddressCounts requests) {
    /** Checks that nothing is missing. */
    public ClientSettings {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(stalls, "stalls");
        Objects.requireNonNull(date, "date");
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(requests, "requests");
    }
}
