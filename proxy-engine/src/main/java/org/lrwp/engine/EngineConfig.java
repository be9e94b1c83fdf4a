package org.lrwp.engine;

import org.lrwp.engine.agent.AgentConfig;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.spool.SpoolConfig;

import java.util.Objects;

/**
 * The whole configuration of an engine.
 *
 * @param agent the listener for peers
 * @param contexts limits of contexts, their peers and their requests
 * @param spool where bodies wait
 * @param maxExchanges requests at once, over all contexts; above it 503
 * @param maxTunnels connections of clients that speak another protocol at once; above it 503, 0 =
 *     what clients offer is ignored
 * @param ioThreads selector threads for peers, at least 1
 */
public record EngineConfig(
        AgentConfig agent,
        ContextConfigs contexts,
        SpoolConfig spool,
        int maxExchanges,
        int maxTunnels,
        int ioThreads) {
    /** Checks all values. */
    public EngineConfig {
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(contexts, "contexts");
        Objects.requireNonNull(spool, "spool");
        if (maxTunnels < 0) {
            throw new IllegalArgumentException("maxTunnels " + maxTunnels + " is below 0");
        }
        if (maxExchanges < 1 || ioThreads < 1) {
            throw new IllegalArgumentException(
                    "maxExchanges " + maxExchanges + ", ioThreads " + ioThreads + ": below 1");
        }
    }

    /**
     * Returns the configuration with another policy for peers.
     *
     * @param access who may register what
     * @return the same otherwise
     */
    public EngineConfig with(AccessPolicy access) {
        return new EngineConfig(
                agent.with(access), contexts, spool, maxExchanges, maxTunnels, ioThreads);
    }
}
