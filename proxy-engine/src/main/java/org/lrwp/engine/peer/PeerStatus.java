package org.lrwp.engine.peer;

/**
 * A picture of one connection of a peer, for status pages.
 *
 * @param name remote address and number of the connection
 * @param version protocol version
 * @param context the context it serves, as users write it
 * @param virtualHost the only host it serves, empty for every host
 * @param state what it is doing
 * @param capacity requests it can have at once
 * @param busy requests it has
 * @param served requests it has answered
 */
public record PeerStatus(
        String name,
        String version,
        String context,
        String virtualHost,
        String state,
        int capacity,
        int busy,
        long served) {}
