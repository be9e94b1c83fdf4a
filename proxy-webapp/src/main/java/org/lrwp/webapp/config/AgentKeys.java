package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The keys of the listener for peers. */
final class AgentKeys {
    private static final Duration SOME = Duration.ofMillis(1);

    static final Key<InetAddress> AGENT_ADDRESS =
            new Key<>(
                    "agent.address",
                    ValueTypes.ADDRESS,
                    "127.0.0.1",
                    "Address where peers dial in. Any but a loopback address needs"
                            + " `agent.networks`, else the proxy does not start.");
    static final Key<Integer> AGENT_PORT =
            new Key<>(
                    "agent.port",
                    ValueTypes.count(0, 0xFFFF),
                    "1081",
                    "TCP port where peers dial in; 0 = any free one. Taken: the proxy does not"
                            + " start.");
    static final Key<List<Network>> AGENT_NETWORKS =
            new Key<>(
                    "agent.networks",
                    ValueTypes.NETWORKS,
                    "127.0.0.0/8, ::1",
                    "Where peers may come from; others are refused with `ERROR: Unauthorized"
                            + " access`.");
    static final Key<Duration> AGENT_REGISTRATION_TIME =
            new Key<>(
                    "agent.registration-time",
                    ValueTypes.duration(SOME),
                    "5s",
                    "How long a peer may take to register; then it is refused and closed.");
    static final Key<Duration> AGENT_SETTLE =
            new Key<>(
                    "agent.lrwp1-settle",
                    ValueTypes.duration(Duration.ZERO),
                    "50ms",
                    "How long after its `OK` an LRWP 1.0 peer gets its first request at the"
                            + " earliest; 0 = at once.");
    static final Key<Integer> AGENT_MAX_PEERS =
            new Key<>(
                    "agent.max-peers",
                    ValueTypes.count(1, 1_000_000),
                    "10000",
                    "Connections of peers at once; above it they are refused.");
    static final Key<Integer> AGENT_MAX_PEERS_PER_ADDRESS =
            new Key<>(
                    "agent.max-peers-per-address",
                    ValueTypes.count(1, 1_000_000),
                    "1000",
                    "The same for one remote address.");
    static final Key<Set<String>> AGENT_ALLOWED_CONTEXTS =
            new Key<>(
                    "agent.allowed-contexts",
                    ValueTypes.CONTEXTS,
                    "",
                    "Contexts that may be registered; empty = any. Others are refused with"
                            + " `ERROR: Application not permitted`.");
    static final Key<Duration> AGENT_PING_TIME =
            new Key<>(
                    "agent.ping-time",
                    ValueTypes.duration(Duration.ZERO),
                    "10s",
                    "How long an LRWP 3 peer with `ping=1` may be silent until it is pinged, in"
                            + " whole seconds; after as long again it is closed; 0 = never.");
    static final Key<Integer> AGENT_PEER_CONNECTIONS =
            new Key<>(
                    "agent.peer-connections",
                    ValueTypes.count(0, 1_000),
                    "0",
                    "How many connections an LRWP 3 peer is asked to open; 0 = one for each thread"
                            + " that handles peers' connections.");
    static final Key<Integer> AGENT_MAX_CAPACITY =
            new Key<>(
                    "agent.max-capacity",
                    ValueTypes.count(1, 1_000_000),
                    "16384",
                    "Requests at once on one LRWP 3 connection; a peer that can take more gets this"
                            + " many.");
    static final Key<Integer> AGENT_MAX_CONTEXTS_PER_PEER =
            new Key<>(
                    "agent.max-contexts-per-peer",
                    ValueTypes.count(1, 1_000_000),
                    "1000",
                    "Contexts on one LRWP 3 connection; more are refused in `REGISTERED`.");
    static final Key<Integer> AGENT_IO_THREADS =
            new Key<>(
                    "agent.io-threads",
                    ValueTypes.count(0, 64),
                    "0",
                    "Selector threads for all peers together; 0 = half the processors, at most"
                            + " 4.");

    static final Key<String> AGENT_TRANSPORT =
            new Key<>(
                    "agent.transport",
                    ValueTypes.word("auto", "own"),
                    "auto",
                    "Where peers' connections are handled: `auto` = on the selector threads of the"
                        + " container's HTTP listener, `own` = on threads of the proxy. When the"
                        + " container's cannot be reached it is `own`; log and status say why.");

    private AgentKeys() {}
}
