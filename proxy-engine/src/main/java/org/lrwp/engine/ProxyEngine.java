package org.lrwp.engine;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheFileException;
import org.lrwp.engine.agent.LrwpAgent;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.cache.CacheConfig;
import org.lrwp.engine.cache.Front;
import org.lrwp.engine.cache.ResponseCache;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeEnvironment;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.OpenExchanges;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.Principal;
import org.lrwp.engine.peer.LocalPeer;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.local.LocalConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.engine.time.EngineTime;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.time.ScheduledDeadlines;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.engine.transport.SocketConfig;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.tls.TlsConfig;
import org.lrwp.engine.transport.tls.TlsHandshakes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * The engine: peers dial in to it, a front gives it requests. Thread-safe; only {@link #start},
 * {@link #announce}, {@link #drain} and {@link #close} block.
 */
public final class ProxyEngine implements AutoCloseable {
    private enum State {
        RUNNING,
        DRAINING,
        CLOSED
    }

    private final SpoolStore store;
    private final ScheduledDeadlines deadlines;
    private final Transport transport;
    private final ContextAssistantManager contexts;
    private final OpenExchanges exchanges;
    private final ExchangeEnvironment environment;
    private final ExchangeListener listener;
    private final LrwpAgent agent;
    private final AuditTrail audit;
    private final int ioThreads;
    private volatile State state = State.RUNNING;
    private volatile @Nullable Transport socketTransport;
    private volatile @Nullable ResponseCache cache;
    private volatile long drainEnd;
    private final AtomicBoolean drained = new AtomicBoolean();
    private final CountDownLatch leaving = new CountDownLatch(1);

    private ProxyEngine(
            EngineConfig config, ExchangeListener listener, AuditTrail audit, Transport transport)
            throws IOException {
        this.audit = audit;
        this.listener = listener;
        this.ioThreads = config.ioThreads();
        NanoClock clock = NanoClock.SYSTEM;
        exchanges = new OpenExchanges(config.maxExchanges(), config.maxTunnels(), listener);
        store = SpoolStore.open(config.spool());
        deadlines = new ScheduledDeadlines();
        environment = new ExchangeEnvironment(clock, deadlines, store, exchanges);
        contexts = new ContextAssistantManager(config.contexts(), clock, deadlines);
        this.transport = transport;
        try {
            var time = new EngineTime(clock, InstantSource.system(), deadlines);
            agent = LrwpAgent.start(config.agent(), contexts, time, transport, audit);
        } catch (IOException e) {
            transport.close();
            deadlines.close();
            store.close();
            throw e;
        }
    }

    /**
     * Starts an engine.
     *
     * @param config its configuration
     * @param listener told of the end of each exchange
     * @return the running engine
     * @throws IOException when the agent's port cannot be had
     */
    public static ProxyEngine start(EngineConfig config, ExchangeListener listener)
            throws IOException {
        return start(config, listener, AuditTrail.NONE, new SelectorTransport(config.ioThreads()));
    }

    /**
     * Starts an engine whose peers' connections get their events from a given transport.
     *
     * @param config its configuration
     * @param listener told of the end of each exchange
     * @param audit told of registrations, refusals, drains and purges
     * @param transport the engine's from now on: it closes it, also when it does not start
     * @return the running engine
     * @throws IOException when the agent's port cannot be had
     */
    public static ProxyEngine start(
            EngineConfig config, ExchangeListener listener, AuditTrail audit, Transport transport)
            throws IOException {
        Objects.requireNonNull(listener, "listener");
        return new ProxyEngine(config, listener, audit, transport);
    }

    /**
     * Changes limits while it runs: those of contexts, and how many requests and tunnels there may
     * be. They hold for what comes from now on; LRWP 1 and 2 peers keep the times with which they
     * registered. Whatever else the configuration says is left as it was at the start.
     *
     * @param config has the new limits
     */
    public void limit(EngineConfig config) {
        exchanges.limit(config.maxExchanges(), config.maxTunnels());
        contexts.limit(config.contexts());
    }

    /**
     * Changes who may register what, while it runs. Connections that would not be let in now, or
     * whose contexts would not be granted now, are drained.
     *
     * @param policy the policy from now on
     */
    public void allow(AccessPolicy policy) {
        agent.allow(policy);
    }

    /**
     * Lets a module of this process serve contexts. It drains and ends with the engine.
     *
     * @param peer the module
     * @return its place among the peers
     */
    public LocalConnection serve(LocalPeer peer) {
        var connection = new LocalConnection(peer, peerEnvironment());
        contexts.admit(connection);
        peer.contexts()
                .forEach(context -> contexts.register(connection, context, Principal.MODULES));
        connection.open();
        AuditActor actor = AuditActor.ofProcess("local:" + peer.name());
        peer.contexts()
                .forEach(
                        context ->
                                audit.record(
                                        AuditEvent.done(
                                                AuditEvent.Action.REGISTER,
                                                actor,
                                                context.context(),
                                                "version=local")));
        return connection;
    }

    private PeerEnvironment peerEnvironment() {
        return new PeerEnvironment(
                NanoClock.SYSTEM, deadlines, contexts, context -> contexts.config(context).peer());
    }

    /**
     * Returns what the proxies of a cluster may ask of this engine; after {@link #openCache}.
     *
     * @return the engine as one of several
     */
    public EngineCluster cluster() {
        return new EngineCluster(
                contexts,
                peerEnvironment(),
                this::openGuest,
                cache,
                commands(),
                this::isDrained,
                transport::here);
    }

    /**
     * Finds the context of a request.
     *
     * @param host the request's host in lower case, without port; empty when it has none
     * @param path the decoded path, without dot segments and double slashes
     * @return the context, or null when no peer has registered one for it
     */
    public @Nullable ContextMatch match(String host, String path) {
        return contexts.match(host, path);
    }

    /**
     * Takes a request. When the engine is full or goes down, the client is told before this method
     * returns.
     *
     * @param match its context
     * @param request what is asked
     * @param client who gets the answer
     * @return the exchange, whose body the front now brings
     */
    public Exchange open(ContextMatch match, ExchangeRequest request, Client client) {
        return open(match, request, client, environment);
    }

    /**
     * Takes a request of a front's own, like {@link #open(ContextMatch, ExchangeRequest, Client)}.
     *
     * @param match its context
     * @param request what is asked
     * @param client who gets the answer
     * @param told told of its end, in place of the listener of the engine
     * @return the exchange
     */
    public Exchange open(
            ContextMatch match, ExchangeRequest request, Client client, ExchangeListener told) {
        return open(match, request, client, telling(told));
    }

    private ExchangeEnvironment telling(ExchangeListener told) {
        return new ExchangeEnvironment(
                environment.clock(), deadlines, store, exchanges.telling(told));
    }

    /**
     * Takes a request that a front leaves to the peer, like {@link #open(ContextMatch,
     * ExchangeRequest, Client)}. Its line says so.
     *
     * @param match its context
     * @param request what is asked
     * @param client who gets the answer
     * @return the exchange, whose body the front now brings
     */
    public Exchange openPassed(ContextMatch match, ExchangeRequest request, Client client) {
        return open(match, request, client, ended -> listener.ended(ended.passed()));
    }

    private Exchange open(
            ContextMatch match,
            ExchangeRequest request,
            Client client,
            ExchangeEnvironment shared) {
        return opened(
                new Exchange(
                        exchanges.takesTunnels() ? request : request.withoutUpgrades(),
                        match.assistant().config().exchange(),
                        shared,
                        match.assistant(),
                        client));
    }

    private Exchange openGuest(
            ContextAssistantManager.Guests context,
            ExchangeRequest request,
            Client client,
            ExchangeListener told) {
        return opened(
                new Exchange(
                        request, context.limits(), telling(told), context.dispatcher(), client));
    }

    private Exchange opened(Exchange exchange) {
        boolean room = exchanges.add(exchange);
        if (state != State.RUNNING) {
            exchange.fail(Failure.DRAINING);
        } else if (!room) {
            exchange.fail(Failure.TOO_MANY_EXCHANGES);
        }
        return exchange;
    }

    /**
     * Opens one more port, where peers dial in inside TLS. At most once. Blocks on the files.
     *
     * @param config where, and with which certificates
     * @throws IOException when the port cannot be had, or a file cannot be used
     */
    public void openTls(TlsConfig config) throws IOException {
        agent.openTls(config);
    }

    /**
     * Opens a Unix domain socket, where peers of this host dial in; they are served by selectors of
     * the engine's own. At most once. Blocks.
     *
     * @param config where its file is made, and who may connect
     * @throws IOException when it cannot be opened; the message names the path
     */
    public void openSocket(SocketConfig config) throws IOException {
        if (transport instanceof SelectorTransport own) {
            agent.openSocket(config, own);
            return;
        }
        var selectors = new SelectorTransport(ioThreads);
        socketTransport = selectors;
        agent.openSocket(config, selectors);
    }

    /**
     * Puts a response cache in front of contexts; blocks on its file. At most once, before the
     * first request.
     *
     * @param config what it may do
     * @param believed whether the forwarding fields of a request are passed on to its peer
     * @throws CacheFileException when its file cannot be used
     */
    public void openCache(CacheConfig config, Predicate<RequestHead> believed)
            throws CacheFileException {
        cache = ResponseCache.open(config, store, believed, InstantSource.system(), audit);
    }

    /**
     * Returns what stands in front of a context.
     *
     * @param match the context
     * @return who takes its requests; null for nobody
     */
    public @Nullable Front front(ContextMatch match) {
        ResponseCache open = cache;
        return open != null && open.serves(match.assistant().contextName()) ? open : null;
    }

    /**
     * Says what an operator may do.
     *
     * @return commands for this engine
     */
    public EngineCommands commands() {
        return new EngineCommands(contexts, exchanges, () -> cache, audit, drained);
    }

    /**
     * Returns where peers dial in.
     *
     * @return local address and port
     */
    public InetSocketAddress agentAddress() {
        return agent.address();
    }

    /**
     * Returns where peers dial in inside TLS.
     *
     * @return local address and port; null without {@link #openTls}
     */
    public @Nullable InetSocketAddress tlsAddress() {
        return agent.tlsAddress();
    }

    /**
     * Says how the TLS handshakes of peers have ended.
     *
     * @return counts since the start; null without {@link #openTls}
     */
    public @Nullable TlsHandshakes tlsHandshakes() {
        return agent.tlsHandshakes();
    }

    /**
     * Says whether peers can dial in.
     *
     * @return false while draining and afterwards, and while the container restarts its listener
     */
    public boolean isListening() {
        return state == State.RUNNING && transport.status().listening();
    }

    /**
     * Says whether new requests are refused.
     *
     * @return true from {@link #drain} on
     */
    public boolean isDraining() {
        return state != State.RUNNING;
    }

    /**
     * Says whether no new requests are to be sent here.
     *
     * @return see {@link EngineStatus#drained}
     */
    public boolean isDrained() {
        return drained.get() || isDraining();
    }

    /**
     * Returns a picture for status pages. Takes no lock that a request could wait for.
     *
     * @return the engine as it is now
     */
    public EngineStatus status() {
        InetSocketAddress address = agent.address();
        Path socket = agent.socket();
        ResponseCache cached = cache;
        List<ExchangeStatus> open =
                exchanges.all().stream()
                        .map(Exchange::status)
                        .sorted(Comparator.comparingLong(ExchangeStatus::ageNanos).reversed())
                        .toList();
        return new EngineStatus(
                isListening(),
                isDraining(),
                isDrained(),
                address.getAddress().getHostAddress() + ":" + address.getPort(),
                socket == null ? "" : socket.toString(),
                contexts.contexts(),
                contexts.peers(agent::status),
                open,
                store.memoryBytes(),
                store.diskBytes(),
                transport.status(),
                contexts.drainedPeers(),
                cached == null ? Map.of() : cached.figures());
    }

    /**
     * Says that no new requests are to be sent here, and waits until whoever sends them has had the
     * time to notice it. Does nothing when an operator has said it before. Blocks.
     *
     * @param notice how long; {@link #drain} ends it
     */
    public void announce(Duration notice) {
        if (state == State.RUNNING && !notice.isZero() && drained.compareAndSet(false, true)) {
            try {
                boolean _ = leaving.await(notice.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Refuses new requests and new peers, and waits until those in flight have ended. As soon as no
     * request waits for a peer the peers are told to leave, so that they dial elsewhere.
     *
     * @param most how long to wait, counted from the first call; then those that wait for a peer
     *     get 503, and those that a peer has go on until {@link #close}
     */
    public void drain(Duration most) {
        if (state == State.RUNNING) {
            drainEnd = NanoClock.SYSTEM.nanos() + most.toNanos();
            state = State.DRAINING;
            leaving.countDown();
            audit.record(
                    AuditEvent.done(
                            AuditEvent.Action.DRAIN, AuditActor.ofProcess("proxy"), "", ""));
            agent.close();
        }
        exchanges.awaitAllAtPeers(drainTimeLeft());
        exchanges.failAllWithoutPeer(Failure.DRAINING);
        contexts.drainConnections();
        exchanges.awaitNone(drainTimeLeft());
    }

    private Duration drainTimeLeft() {
        return Duration.ofNanos(Math.max(0, drainEnd - NanoClock.SYSTEM.nanos()));
    }

    /** Closes all connections and ends all threads. Idempotent. */
    @Override
    public void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        leaving.countDown();
        agent.close();
        contexts.closeConnections("proxy closed");
        exchanges.giveUpAll();
        transport.close();
        Transport ofSocket = socketTransport;
        if (ofSocket != null) {
            ofSocket.close();
        }
        deadlines.close();
        store.close();
        ResponseCache cached = cache;
        if (cached != null) {
            cached.close();
        }
    }
}
