package org.lrwp.engine.peer;

import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Exchange;

/**
 * One slot of an LRWP 3 connection, as any thread sees it; what happens on the link's loop is in
 * {@link PeerStream}.
 */
abstract class StreamSlot implements PeerHandler {
    private final Lrwp3Connection connection;

    StreamSlot(Lrwp3Connection connection) {
        this.connection = connection;
    }

    @Override
    public Lrwp3Connection connection() {
        return connection;
    }

    @Override
    public boolean isStreaming() {
        return connection.isStreaming();
    }

    @Override
    public String peerName() {
        return connection.peerName();
    }

    @Override
    public void release() {
        connection.slots().release();
    }

    @Override
    public boolean send(Exchange exchange) {
        Attempt next = exchange.assign(this);
        if (next == null) {
            return false;
        }
        PeerConfig peer = connection.limits(next.contextName());
        connection.execute(() -> begin(next, peer));
        return true;
    }

    @Override
    public void cancel() {
        connection.execute(() -> abandon("the request has ended"));
    }

    /** Sends the request. On the loop. */
    abstract void begin(Attempt next, PeerConfig limits);

    /** Nobody waits any more: a request that was not sent is taken back, else the peer is told. */
    abstract void abandon(String reason);
}
