package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;

import java.util.List;
import java.util.Set;

/**
 * The pages under {@code /-/}.
 *
 * @param networks who is answered
 * @param hosts values of Host that are answered, lower case, without port; {@code *} = any
 * @param forwarded whether requests that were forwarded are answered
 * @param readyContexts contexts that need a peer before the proxy is ready, as users write them
 * @param metricContexts contexts with metrics of their own, at least 1
 */
public record StatusConfig(
        List<Network> networks,
        Set<String> hosts,
        boolean forwarded,
        Set<String> readyContexts,
        int metricContexts) {
    /** Copies the collections, and checks the number. */
    public StatusConfig {
        if (metricContexts < 1) {
            throw new IllegalArgumentException("metricContexts " + metricContexts);
        }
        networks = List.copyOf(networks);
        hosts = Set.copyOf(hosts);
        readyContexts = Set.copyOf(readyContexts);
    }
}
