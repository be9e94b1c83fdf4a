package org.lrwp.webapp.config;

import org.lrwp.engine.identity.LeastVersion;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.InetAddress;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The keys of the listener for peers. */
final class AgentKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final Duration SOME = Duration.ofMillis(1);

    static final Key<InetAddress> ADDRESS =
            TABLE.key("agent.address", ProxyValueTypes.ADDRESS, "127.0.0.1")
                    .atStart(
                            "Address where peers dial in. Any but a loopback address needs"
                                    + " `agent.networks`, else the proxy does not start.");

    static final Key<Integer> PORT =
            TABLE.key("agent.port", ValueTypes.count(0, 0xFFFF), "1081")
                    .atStart(
                            "TCP port where peers dial in; 0 = any free one. Taken: the proxy does"
                                    + " not start.");

    static final Key<String> SOCKET =
            TABLE.key("agent.socket", ValueTypes.TEXT, "")
                    .atStart(
                            "Unix domain socket where peers of this host dial in beside the port;"
                                + " empty = none. Made at the start and removed at the end. One"
                                + " that a dead proxy has left is replaced; anything else that is"
                                + " there, or a folder in which everybody may replace it: the proxy"
                                + " does not start. Its peers count as coming from 127.0.0.1,"
                                + " whatever `agent.networks` says.");

    static final Key<Set<PosixFilePermission>> SOCKET_MODE =
            TABLE.key("agent.socket-mode", ProxyValueTypes.FILE_MODE, "600")
                    .atStart(
                            "Who may connect there: 600 = the proxy's user, 660 = also the group of"
                                    + " the file, 666 = every user.");

    static final Key<String> SOCKET_GROUP =
            TABLE.key("agent.socket-group", ValueTypes.TEXT, "")
                    .atStart(
                            "Group of its file; the proxy's user has to be in it, else the proxy"
                                + " does not start. Needs a mode that lets the group in. Empty ="
                                + " the user's own group, or that of the folder when that has the"
                                + " setgid bit.");

    static final Key<List<Network>> NETWORKS =
            TABLE.key("agent.networks", ValueTypes.NETWORKS, "127.0.0.0/8, ::1")
                    .atStart(
                            "Where peers may come from; a connection from elsewhere is closed"
                                    + " without a text.");

    static final Key<String> PEERS_FILE =
            TABLE.key("agent.peers-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File of identities (see Peers and identities); empty = none. It must"
                                    + " belong to the proxy's user or root, and nobody else may"
                                    + " change it. It is watched; with a fault in it all old"
                                    + " identities stay.");

    static final Key<String> AUTHENTICATION =
            TABLE.key(
                            "agent.authentication",
                            ValueTypes.word("auto", "required", "optional"),
                            "auto")
                    .atStart(
                            "Whether peers need an identity: `required` = others are refused with"
                                + " `ERROR: Connection requires an identity`; `optional` = others"
                                + " may register what belongs to nobody; `auto` = `optional` when"
                                + " `agent.address`, and with TLS `agent.tls.address`, are on"
                                + " loopback, else `required`, at every port.");

    static final Key<LeastVersion> MIN_VERSION =
            TABLE.key("agent.min-version", ProxyValueTypes.LEAST_VERSION, "1.0")
                    .atStart(
                            "The oldest version of LRWP that peers may speak; older ones are"
                                + " refused with `ERROR: LRWP version not permitted`. LRWP 1 proves"
                                + " nothing, LRWP 2 tells its secret to whoever listens.");

    static final Key<Duration> REGISTRATION_TIME =
            TABLE.key("agent.registration-time", ValueTypes.duration(SOME), "5s")
                    .atStart(
                            "How long a peer may take to register; then it is refused and closed.");

    static final Key<Duration> SETTLE =
            TABLE.key("agent.lrwp1-settle", ValueTypes.duration(Duration.ZERO), "50ms")
                    .atStart(
                            "How long after its `OK` an LRWP 1.0 peer gets its first request at the"
                                    + " earliest; 0 = at once.");

    static final Key<Integer> MAX_PEERS =
            TABLE.key("agent.max-peers", ValueTypes.count(1, 1_000_000), "10000")
                    .atStart(
                            "Registered connections of peers at once; above it a new one is closed"
                                    + " without a text.");

    static final Key<Integer> MAX_PEERS_PER_ADDRESS =
            TABLE.key("agent.max-peers-per-address", ValueTypes.count(1, 1_000_000), "1000")
                    .atStart(
                            "The same for one remote address, IPv6 network of 64 bits, or user at"
                                    + " `agent.socket`.");

    static final Key<Integer> MAX_UNREGISTERED =
            TABLE.key("agent.max-unregistered", ValueTypes.count(1, 1_000_000), "256")
                    .atStart(
                            "Connections at once that have not registered; above it one is closed:"
                                    + " of the address that has most of them, the one that has been"
                                    + " silent longest.");

    static final Key<Integer> WRONG_PROOFS =
            TABLE.key("agent.wrong-proofs-per-minute", ValueTypes.count(1, 1_000_000), "10")
                    .atStart(
                            "Wrong proofs from one address, as above, within a minute; above it"
                                + " each refusal comes later, by 1 s, 2 s, and so on up to 32 s. A"
                                + " right proof never waits.");

    static final Key<Integer> REGISTRATION_RATE =
            TABLE.key("agent.registrations-per-second", ValueTypes.count(1, 1_000_000), "50")
                    .atStart(
                            "Contexts that one identity may register each second, after the first"
                                    + " `agent.registration-burst`; above it the answer waits.");

    static final Key<Integer> REGISTRATION_BURST =
            TABLE.key("agent.registration-burst", ValueTypes.count(1, 10_000_000), "10000")
                    .atStart("Contexts that one identity may register before its rate counts.");

    static final Key<Integer> REFUSAL_LINES =
            TABLE.key("agent.refusal-lines-per-second", ValueTypes.count(0, 1_000_000), "10")
                    .atStart(
                            "Lines `registration-refused` of the log each second, after the first"
                                + " ten times as many, and as many lines `tls-refused`,"
                                + " `https-refused` and `proxy-header-refused`; those above it are"
                                + " counted, and the next line has their number as `omitted`. 0 = a"
                                + " line for each.");

    static final Key<Set<String>> ALLOWED_CONTEXTS =
            TABLE.key("agent.allowed-contexts", ProxyValueTypes.CONTEXTS, "")
                    .atStart(
                            "Contexts that may be registered; empty = any. Others are refused with"
                                    + " `ERROR: Application not permitted`.");

    static final Key<Duration> PING_TIME =
            TABLE.key("agent.ping-time", ValueTypes.duration(Duration.ZERO), "10s")
                    .atStart(
                            "How long an LRWP 3 peer with `ping=1` may be silent until it is"
                                + " pinged, in whole seconds; after as long again it is closed; 0 ="
                                + " never.");

    static final Key<Integer> PEER_CONNECTIONS =
            TABLE.key("agent.peer-connections", ValueTypes.count(0, 1_000), "0")
                    .atStart(
                            "How many connections an LRWP 3 peer is asked to open; 0 = one for each"
                                    + " thread that handles peers' connections.");

    static final Key<Integer> MAX_CAPACITY =
            TABLE.key("agent.max-capacity", ValueTypes.count(1, 1_000_000), "16384")
                    .atStart(
                            "Requests at once on one LRWP 3 connection; a peer that can take more"
                                    + " gets this many.");

    static final Key<Integer> MAX_CONTEXTS_PER_PEER =
            TABLE.key("agent.max-contexts-per-peer", ValueTypes.count(1, 1_000_000), "10000")
                    .atStart(
                            "Contexts on one LRWP 3 connection; more are refused in `REGISTERED`.");

    static final Key<Integer> IO_THREADS =
            TABLE.key("agent.io-threads", ValueTypes.count(0, 64), "0")
                    .atStart(
                            "Selector threads for all peers together; 0 = half the processors, at"
                                    + " most 4.");

    static final Key<String> TRANSPORT =
            TABLE.key("agent.transport", ValueTypes.word("auto", "own"), "auto")
                    .atStart(
                            "Where peers' connections are handled: `auto` = on the selector threads"
                                + " of the container's HTTP listener, `own` = on threads of the"
                                + " proxy. When the container's cannot be reached it is `own`; log"
                                + " and status say why.");

    private AgentKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
