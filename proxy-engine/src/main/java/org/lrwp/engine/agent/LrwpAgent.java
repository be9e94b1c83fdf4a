package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.context.Claims;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.Identity;
import org.lrwp.engine.identity.Principal;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.engine.peer.RemoteConnection;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.peer.multiplexed.Lrwp3Connection;
import org.lrwp.engine.peer.serial.Lrwp1Connection;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.Deadlines.Deadline;
import org.lrwp.engine.time.EngineTime;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.time.TurnBucket;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.PeerAddress;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.engine.transport.SocketConfig;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.tls.TlsAcceptor;
import org.lrwp.engine.transport.tls.TlsConfig;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.protocol.Acknowledgement;
import org.lrwp.protocol.FilterSkipper;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Refusal;
import org.lrwp.protocol.Registration;
import org.lrwp.protocol.network.Network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The LRWP listener: accepts peers, judges their registration and hands their connections to the
 * contexts. Thread-safe; never blocks but in {@link #start} and {@link #openTls}.
 */
public final class LrwpAgent implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LrwpAgent.class.getName());

    /** Buckets of identities; more are looked through for those that nobody uses. */
    private static final int MOST_BUCKETS = 1_000;

    private static final Duration A_DAY = Duration.ofDays(1);

    private final AgentConfig config;
    private final ContextAssistantManager contexts;
    private final Deadlines deadlines;
    private final PeerEnvironment environment;
    private final NanoClock clock;
    private final RegistrationRules rules;
    private final PeerCounts counts;
    private final Lobby lobby;
    private final ClosedUnheard unheard;
    private final RefusalLines refusals;
    private final WrongProofs wrongProofs;
    private final Map<String, TurnBucket> turns = new ConcurrentHashMap<>();
    private final Map<PeerConnection, Admission> admitted = new ConcurrentHashMap<>();
    private final Transport transport;
    private final Reception reception;
    private final Transport.Listener listener;
    private final AuditTrail audit;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock expiryLock = new ReentrantLock();
    private @Nullable Deadline expiry;
    private volatile @Nullable TlsListener tls;
    private volatile SelectorTransport.@Nullable UnixListener unix;

    /** The port for peers inside TLS, and what it needs. */
    private record TlsListener(TlsAcceptor acceptor, Transport.Listener listener)
            implements AutoCloseable {
        @Override
        public void close() {
            listener.close();
            acceptor.close();
        }
    }

    private LrwpAgent(
            AgentConfig config,
            ContextAssistantManager contexts,
            EngineTime time,
            Transport transport,
            AuditTrail audit)
            throws IOException {
        this.config = config;
        this.audit = audit;
        this.contexts = contexts;
        this.deadlines = time.deadlines();
        this.clock = time.clock();
        this.rules = new RegistrationRules(config.access(), time.ofDay(), random);
        this.counts = new PeerCounts(config.limits());
        this.lobby = new Lobby(config.limits().unregistered());
        this.unheard = new ClosedUnheard(clock, audit);
        this.refusals = new RefusalLines(config.limits().refusalLines(), clock);
        this.wrongProofs = new WrongProofs(config.limits().wrongProofs(), clock);
        this.environment =
                new PeerEnvironment(
                        clock,
                        deadlines,
                        new CountedWork(),
                        context -> contexts.config(context).peer());
        this.transport = transport;
        var address = new InetSocketAddress(config.address(), config.port());
        this.reception = new Reception(transport);
        this.contexts.claims(claims(config.access()));
        this.listener = transport.listen(address, link -> accept(link, reception));
        watchExpiry();
    }

    /**
     * Opens the listener.
     *
     * @param config where and who
     * @param contexts who gets the connections
     * @param time the engine's
     * @param transport where the listener gets its events
     * @param audit takes down who registers, is refused or drains
     * @return the open agent
     * @throws IOException when the port cannot be had
     */
    public static LrwpAgent start(
            AgentConfig config,
            ContextAssistantManager contexts,
            EngineTime time,
            Transport transport,
            AuditTrail audit)
            throws IOException {
        return new LrwpAgent(config, contexts, time, transport, audit);
    }

    /**
     * Opens one more port, where peers dial in inside TLS. At most once. Blocks on the files.
     *
     * @param tlsConfig where, and with which certificates
     * @throws IOException when the port cannot be had, or a file cannot be used
     */
    public void openTls(TlsConfig tlsConfig) throws IOException {
        var acceptor = new TlsAcceptor(tlsConfig, deadlines, this::tlsRefused);
        try {
            var open =
                    transport.listen(
                            tlsConfig.address(), link -> accept(acceptor.accept(link), reception));
            tls = new TlsListener(acceptor, open);
        } catch (IOException e) {
            acceptor.close();
            throw e;
        }
    }

    private void tlsRefused(PeerAddress peer, String reason) {
        refusals.tellTls(peer.text(), reason);
        audit.record(
                AuditEvent.refused(
                        AuditEvent.Action.CONNECT,
                        AuditActor.anonymous(peer.text()),
                        "",
                        "TLS: " + reason));
    }

    /**
     * Opens a Unix domain socket, where peers of this host dial in. At most once. Blocks.
     *
     * @param where its file, and who may connect
     * @param selectors give the connections their events
     * @throws IOException when it cannot be opened; the message names the path
     */
    public void openSocket(SocketConfig where, SelectorTransport selectors) throws IOException {
        var host = new Reception(selectors);
        unix = selectors.listenUnix(where, link -> accept(link, host));
    }

    /** What can be judged by the address alone is judged before a byte is read. */
    private void accept(Link link, Reception reception) {
        PeerAddress remote = link.remote();
        boolean near =
                remote instanceof PeerAddress.Unix
                        || Network.anyContains(config.networks(), remote.address());
        String met = near ? counts.exceeded(remote.source()) : "agent.networks";
        if (!met.isEmpty()) {
            unheard.count(remote, met);
            link.close();
            return;
        }
        var handshake = new Handshake(link, reception);
        Handshake silent = lobby.enter(handshake);
        if (silent != null) {
            unheard.count(silent.remote(), "agent.max-unregistered");
            silent.evict();
        }
        handshake.start();
    }

    /**
     * Changes who may register what. Connections that would not be let in now, or whose contexts
     * would not be granted now, are drained; never blocks.
     *
     * @param policy the policy from now on
     */
    public void allow(AccessPolicy policy) {
        rules.policy(policy);
        contexts.claims(claims(policy));
        admitted.forEach(this::checkAgain);
        admitted.forEach(this::limitAgain);
        watchExpiry();
    }

    private static Claims claims(AccessPolicy policy) {
        Map<ServedContext, Set<String>> given = new HashMap<>();
        for (AccessPolicy.Claim one : policy.claims()) {
            given.put(new ServedContext(one.context(), one.host()), one.owners());
        }
        return new Claims(given);
    }

    private void checkAgain(PeerConnection connection, Admission admission) {
        if (admission.revokeIfWrong()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "identity-changed peer={0} identity={1}",
                    connection.peerName(),
                    admission.identity());
            connection.drain();
        }
    }

    /** Weight and capacity follow the identity. */
    private void limitAgain(PeerConnection connection, Admission admission) {
        Identity identity = rules.policy().identities().get(admission.identity());
        connection.weight().ofIdentity(weight(identity));
        connection.cap(capacity(identity));
        contexts.weighed(connection);
    }

    private static int weight(@Nullable Identity identity) {
        return identity == null ? PeerWeight.USUAL : identity.weight();
    }

    private int capacity(@Nullable Identity identity) {
        int own = identity == null ? 0 : identity.maxCapacity();
        return own == 0 ? config.lrwp3().maxCapacity() : own;
    }

    /** Looks again when the next identity ceases to be valid. */
    private void watchExpiry() {
        expiryLock.lock();
        try {
            Deadline before = expiry;
            if (before != null) {
                before.cancel();
            }
            expiry = nextExpiry();
        } finally {
            expiryLock.unlock();
        }
    }

    private @Nullable Deadline nextExpiry() {
        Instant now = rules.now();
        return rules.policy().identities().values().stream()
                .map(Identity::notAfter)
                .flatMap(Stream::ofNullable)
                .filter(end -> end.isAfter(now))
                .min(Comparator.naturalOrder())
                .map(end -> Duration.between(now, end))
                // Longer than this no timer is needed: the clock may be set meanwhile.
                .map(left -> left.compareTo(A_DAY) > 0 ? A_DAY : left)
                .map(left -> deadlines.after(left.toNanos(), this::lookAgain))
                .orElse(null);
    }

    private void lookAgain() {
        admitted.forEach(this::checkAgain);
        watchExpiry();
    }

    /** The turns of an identity; those of identities that were never seen are all alike. */
    private TurnBucket turns(String identity) {
        if (turns.size() > MOST_BUCKETS) {
            turns.values().removeIf(TurnBucket::isFull);
        }
        PeerLimits limits = config.limits();
        return turns.computeIfAbsent(
                identity,
                name ->
                        new TurnBucket(
                                limits.registrationsPerSecond(),
                                limits.registrationBurst(),
                                clock));
    }

    /**
     * Returns where peers dial in.
     *
     * @return local address and port
     */
    public InetSocketAddress address() {
        return listener.address();
    }

    /**
     * Returns where peers dial in inside TLS.
     *
     * @return local address and port; null without {@link #openTls}
     */
    public @Nullable InetSocketAddress tlsAddress() {
        TlsListener open = tls;
        return open == null ? null : open.listener().address();
    }

    /**
     * Says how the TLS handshakes of peers have ended.
     *
     * @return counts since the start; null without {@link #openTls}
     */
    public @Nullable TlsHandshakes tlsHandshakes() {
        TlsListener open = tls;
        return open == null ? null : open.acceptor().handshakes();
    }

    /**
     * Returns where peers of this host dial in.
     *
     * @return its file; null without {@link #openSocket}
     */
    public @Nullable Path socket() {
        SelectorTransport.UnixListener open = unix;
        return open == null ? null : open.path();
    }

    /**
     * Returns a picture of a connection, for status pages.
     *
     * @param connection any
     * @return as it is now, with the identity of its peer
     */
    public PeerStatus status(PeerConnection connection) {
        Admission admission = admitted.get(connection);
        if (admission != null) {
            return connection.status().of(admission.identity(), admission.proof());
        }
        // What is not a module has just been closed.
        boolean module = !(connection instanceof RemoteConnection);
        return module ? connection.status().of(Principal.MODULES, "") : connection.status();
    }

    /** Stops listening; registered connections stay. Idempotent. */
    @Override
    public void close() {
        listener.close();
        TlsListener open = tls;
        if (open != null) {
            open.close();
        }
        SelectorTransport.UnixListener socket = unix;
        if (socket != null) {
            socket.close();
        }
    }

    /** Passes on what connections say, and keeps count of them. */
    private final class CountedWork implements WorkSource {
        @Override
        public void opens(PeerConnection connection) {
            contexts.opens(connection);
        }

        @Override
        public void slotFree(PeerConnection connection) {
            contexts.slotFree(connection);
        }

        @Override
        public void drains(PeerConnection connection, String event) {
            audit.record(AuditEvent.done(AuditEvent.Action.DRAIN, actor(connection), "", event));
        }

        private AuditActor actor(PeerConnection connection) {
            Admission admission = admitted.get(connection);
            return admission == null
                    ? AuditActor.anonymous(connection.peerName())
                    : admission.actor(connection);
        }

        @Override
        public void leaving(PeerConnection connection) {
            contexts.leaving(connection);
        }

        @Override
        public void gone(PeerConnection connection) {
            contexts.gone(connection);
            Admission admission = admitted.remove(connection);
            if (admission != null) {
                counts.remove(admission.from().source(), admission.identity());
            }
        }
    }

    private final class Reception implements Handshake.Reception {
        private final Transport transport;

        Reception(Transport transport) {
            this.transport = transport;
        }

        @Override
        public RegistrationRules rules() {
            return rules;
        }

        @Override
        public AuditTrail audit() {
            return audit;
        }

        @Override
        public RefusalLines refusals() {
            return refusals;
        }

        @Override
        public RandomGenerator random() {
            return random;
        }

        @Override
        public Deadline after(long nanos, Link link, Runnable task) {
            return deadlines.after(nanos, () -> link.execute(task));
        }

        @Override
        public long registrationNanos() {
            return config.registrationTime().toNanos();
        }

        @Override
        public long pauseNanos(PeerAddress remote) {
            return wrongProofs.pauseNanos(remote.source());
        }

        @Override
        public void heard(Handshake handshake) {
            lobby.heard(handshake);
        }

        @Override
        public @Nullable Refusal admit(
                Handshake handshake,
                Link link,
                Registration registration,
                Principal who,
                FilterSkipper filter) {
            Identity identity = rules.policy().identities().get(who.name());
            int most = identity == null ? 0 : identity.maxConnections();
            if (!counts.add(link.remote().source(), who.name(), most)) {
                return Refusal.OUT_OF_RESOURCES;
            }
            lobby.leave(handshake);
            var admission =
                    new Admission(
                            rules,
                            new Admission.Newcomer(registration, who, link.remote()),
                            turns(who.name()),
                            contexts,
                            audit,
                            refusals);
            if (registration.version() == ProtocolVersion.LRWP_3) {
                letInMultiplexed(link, registration, admission, identity);
            } else {
                letInSerial(link, registration, admission, filter);
            }
            return null;
        }

        private void letInMultiplexed(
                Link link,
                Registration registration,
                Admission admission,
                @Nullable Identity identity) {
            Lrwp3Config limits = config.lrwp3().on(transport.status().threads());
            var connection =
                    new Lrwp3Connection(link, registration, limits, environment, admission);
            connection.cap(capacity(identity));
            link.events(connection);
            admit(connection, admission);
            if (acknowledge(link, connection, registration.version())) {
                connection.start();
                checkAgain(connection, admission);
            }
        }

        private void admit(PeerConnection connection, Admission admission) {
            Identity identity = rules.policy().identities().get(admission.identity());
            connection.weight().ofIdentity(weight(identity));
            contexts.admit(connection);
            admitted.put(connection, admission);
        }

        private void letInSerial(
                Link link, Registration registration, Admission admission, FilterSkipper filter) {
            PeerConfig limits = contexts.config(registration.context()).peer();
            var connection =
                    new Lrwp1Connection(
                            link, registration, limits, environment, filter, admission.identity());
            link.events(connection);
            admit(connection, admission);
            admission.turnNanos();
            admission.register(connection, ServedContext.of(registration));
            if (acknowledge(link, connection, registration.version())) {
                boolean old = registration.version() == ProtocolVersion.LRWP_1;
                connection.settle(old ? config.settle().toNanos() : 0);
                checkAgain(connection, admission);
            }
        }

        private boolean acknowledge(Link link, PeerConnection connection, ProtocolVersion version) {
            ByteBuffer bytes = ByteBuffer.wrap(Acknowledgement.encode(version));
            try {
                link.write(new ByteBuffer[] {bytes});
                return true;
            } catch (IOException e) {
                connection.close("acknowledgement failed: " + e.getMessage());
                return false;
            }
        }

        @Override
        public void closed(Handshake handshake) {
            lobby.leave(handshake);
        }
    }
}
