package org.lrwp.engine.peer;

import org.lrwp.engine.exchange.ExchangeStatus;

import java.util.List;

/**
 * A picture of one connection of a peer, for status pages.
 *
 * @param name remote address and number of the connection
 * @param version protocol version
 * @param contexts what it serves
 * @param state what it is doing
 * @param capacity requests it can have at once
 * @param busy requests it has
 * @param served requests it has answered
 * @param stuck requests that were cancelled and that the peer has not let go of
 */
public record PeerStatus(
        String name,
        String version,
        List<ServedContext> contexts,
        String state,
        int capacity,
        int busy,
        long served,
        List<ExchangeStatus> stuck) {
    /** Copies the lists. */
    public PeerStatus {
        contexts = List.copyOf(contexts);
        stuck = List.copyOf(stuck);
    }
}
