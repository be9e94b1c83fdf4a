package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.ServedContext;

/**
 * Knows of slots beyond this proxy, for requests that find none here. Asked only when a request
 * would be queued. Thread-safe; never blocks.
 */
public interface Overflow {
    /**
     * Says whether a request could go elsewhere at all.
     *
     * @param exchange one that waits for a slot, with its whole body
     * @return the same answer each time
     */
    boolean takes(Exchange exchange);

    /**
     * Claims a slot elsewhere.
     *
     * @param context what the request is for
     * @return the slot; null when none is known to be free
     */
    @Nullable PeerSlot claim(ServedContext context);
}
