package org.lrwp.webapp.client;

import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.webapp.config.RequestConfig;
import org.lrwp.webapp.inspector.Inspector;
import org.lrwp.webapp.traces.RequestFollower;
import org.lrwp.webapp.traffic.ClientShares;
import org.lrwp.webapp.traffic.Compressors;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * What all clients share.
 *
 * @param limits limits of requests and answers, as they are now
 * @param clock a monotonic clock
 * @param stalls looks at slow clients
 * @param date the Date field
 * @param log told of requests that are no exchanges
 * @param requests counts what each address has in flight
 * @param shares what each client has asked of each context lately
 * @param compressors compress answers
 * @param inspector keeps requests of contexts that are inspected
 * @param follower decides who follows a request
 */
public record ClientSettings(
        Supplier<RequestConfig> limits,
        NanoClock clock,
        StallWatch stalls,
        DateField date,
        ExchangeListener log,
        AddressCounts requests,
        ClientShares shares,
        Compressors compressors,
        Inspector inspector,
        RequestFollower follower) {
    /** Checks that nothing is missing. */
    public ClientSettings {
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(stalls, "stalls");
        Objects.requireNonNull(date, "date");
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(requests, "requests");
        Objects.requireNonNull(shares, "shares");
        Objects.requireNonNull(compressors, "compressors");
        Objects.requireNonNull(inspector, "inspector");
        Objects.requireNonNull(follower, "follower");
    }

    /**
     * Returns the limits of requests and answers.
     *
     * @return as they are now: two calls may see a change between them
     */
    public RequestConfig config() {
        return limits.get();
    }
}
