package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;

import java.util.List;

/**
 * What one client address may have open at once.
 *
 * @param connections to the HTTP port; 0 = any number; above it they are closed
 * @param requests for peers; 0 = any number; above it 503
 * @param exempt addresses without these limits
 */
public record AddressLimits(int connections, int requests, List<Network> exempt) {
    /** No limits. */
    public static final AddressLimits NONE = new AddressLimits(0, 0, List.of());

    /** Checks all values. */
    public AddressLimits {
        exempt = List.copyOf(exempt);
        if (connections < 0 || requests < 0) {
            throw new IllegalArgumentException(
                    "connections " + connections + ", requests " + requests);
        }
    }
}
