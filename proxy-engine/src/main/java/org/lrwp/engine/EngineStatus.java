package org.lrwp.engine;

import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.transport.TransportStatus;

import java.util.List;
import java.util.Map;

/**
 * A picture of the engine, for status pages. Taken without stopping anything, so its parts may
 * differ by what happened while it was taken.
 *
 * @param listening whether peers can dial in
 * @param draining whether new requests are refused
 * @param drained whether no new requests are to be sent here, which are answered if they come: by
 *     an operator, or as it is about to go down; so too while it drains
 * @param agentAddress where peers dial in, {@code host:port}
 * @param agentSocket Unix domain socket where peers of this host dial in; empty for none
 * @param contexts all known contexts
 * @param peers all registered connections
 * @param exchanges all requests in flight, oldest first
 * @param spoolMemory bytes of bodies in memory
 * @param spoolDisk bytes of bodies in temporary files
 * @param transport where peers' connections get their events
 * @param drainedPeers names of peers that get no new requests
 * @param cache what the response cache has done, by name; empty without one
 */
public record EngineStatus(
        boolean listening,
        boolean draining,
        boolean drained,
        String agentAddress,
        String agentSocket,
        List<ContextStatus> contexts,
        List<PeerStatus> peers,
        List<ExchangeStatus> exchanges,
        long spoolMemory,
        long spoolDisk,
        TransportStatus transport,
        List<String> drainedPeers,
        Map<String, Long> cache) {
    /** Copies the lists. */
    public EngineStatus {
        contexts = List.copyOf(contexts);
        peers = List.copyOf(peers);
        exchanges = List.copyOf(exchanges);
        drainedPeers = List.copyOf(drainedPeers);
    }
}
