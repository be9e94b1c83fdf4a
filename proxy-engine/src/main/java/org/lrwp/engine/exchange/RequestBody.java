package org.lrwp.engine.exchange;

import org.lrwp.engine.spool.NoSpaceException;
import org.lrwp.engine.spool.Spool;

import java.nio.ByteBuffer;

/**
 * The body of a request on its way in, as the front hands it over: limited in length and in
 * silence.
 *
 * <p>The front calls from one thread at a time. No method blocks, but for the disk under a large
 * body.
 */
public final class RequestBody {
    private final Exchange exchange;
    private final ExchangeConfig config;
    private final ExchangeEnvironment environment;
    private final Spool spool;
    private volatile long lastOctet;

    RequestBody(Exchange exchange, ExchangeConfig config, ExchangeEnvironment environment) {
        this.exchange = exchange;
        this.config = config;
        this.environment = environment;
        this.spool = environment.store().forRequest();
    }

    Spool spool() {
        return spool;
    }

    /**
     * Says how long the body will be, so that one that is too long is refused at once.
     *
     * @param octets the request's Content-Length
     */
    public void expect(long octets) {
        if (octets > config.maxBody()) {
            exchange.fail(Failure.BODY_TOO_LARGE);
        }
    }

    /**
     * Takes octets of the body.
     *
     * @param octets the next ones; copied
     * @return whether more is wanted; false when the exchange has ended, early answers included
     */
    public boolean receive(ByteBuffer octets) {
        lastOctet = environment.clock().nanos();
        if (exchange.state() != ExchangeState.RECEIVING) {
            return false;
        }
        if (spool.size() + octets.remaining() > config.maxBody()) {
            exchange.fail(Failure.BODY_TOO_LARGE);
            return false;
        }
        try {
            spool.append(octets);
            return true;
        } catch (NoSpaceException e) {
            System.getLogger(RequestBody.class.getName())
                    .log(System.Logger.Level.WARNING, "spool-full reason={0}", e.getMessage());
            exchange.fail(Failure.NO_SPACE);
            return false;
        }
    }

    /** Says, once, that the rest has not arrived yet: from now on its silence is timed. */
    public void pending() {
        lastOctet = environment.clock().nanos();
        environment.deadlines().after(config.bodyTime().toNanos(), this::checkSilence);
    }

    private void checkSilence() {
        if (exchange.state() != ExchangeState.RECEIVING) {
            return;
        }
        long left = config.bodyTime().toNanos() - (environment.clock().nanos() - lastOctet);
        if (left > 0) {
            environment.deadlines().after(left, this::checkSilence);
        } else {
            exchange.fail(Failure.BODY_TOO_SLOW);
        }
    }

    /** Says that the body is whole: the exchange now looks for a peer. */
    public void whole() {
        spool.complete();
        exchange.bodyWhole();
    }
}
