package org.lrwp.engine.peer;

import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Slot;

/** One slot of a connection, claimed: it takes one request. */
public interface PeerSlot extends Slot {
    @Override
    PeerConnection connection();

    @Override
    default Object instance() {
        return connection().instance();
    }

    @Override
    default String identity() {
        return connection().identity();
    }

    /**
     * Sends a request. What becomes of it is told by the exchange's attempt.
     *
     * @param exchange a request that waits for a slot
     * @return false when the exchange has ended meanwhile; the slot is still claimed
     */
    boolean send(Exchange exchange);

    /** Gives the slot back, unused, without asking for work. */
    void release();
}
