package org.lrwp.webapp.edge;

import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.time.LineLimit;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.webapp.client.AddressCounts;
import org.lrwp.webapp.container.ClientDoor;
import org.lrwp.webapp.container.ClientReader;
import org.lrwp.webapp.container.ClientReaders;
import org.lrwp.webapp.container.ContainerListener;
import org.lrwp.webapp.container.Http2Guard;
import org.lrwp.webapp.container.Http2Watch;
import org.lrwp.webapp.container.LazyReads;
import org.lrwp.webapp.container.ProxyHeaderTime;
import org.lrwp.webapp.container.RunnerLoop;
import org.lrwp.webapp.files.FileSenders;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Says what becomes of clients' connections: whether their requests are read by the strict reader,
 * and who answers those for peers. Shut at first: connections that come before {@link #open} stay
 * with the container. Thread-safe.
 */
public final class Edge implements ClientReaders {
    private static final System.Logger LOG = System.getLogger(Edge.class.getName());

    private volatile @Nullable EdgeRouter router;
    private volatile @Nullable FileSenders senders;
    private volatile @Nullable AddressCounts connections;
    private volatile @Nullable Http2Watch http2;
    private final InstantSource clock;
    private final Map<RunnerLoop, EdgeLoop> loops = new ConcurrentHashMap<>();
    private final LongAdder shaken = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile LineLimit refusalLines = new LineLimit(0, NanoClock.SYSTEM);
    private volatile LineLimit headerLines = new LineLimit(0, NanoClock.SYSTEM);

    /**
     * Creates it shut.
     *
     * @param clock the one that the container looks at
     */
    public Edge(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Has connections that come from now on read here.
     *
     * @param next says which requests are answered past the container
     */
    public void open(EdgeRouter next) {
        router = next;
    }

    /** Gives what follows on all connections to the container. */
    public void shut() {
        router = null;
    }

    /**
     * Has files sent by these, whichever way a request takes.
     *
     * @param next run until the connections of all clients have been cut; null = no files from now
     *     on
     */
    public void sendFilesBy(@Nullable FileSenders next) {
        senders = next;
    }

    /**
     * Limits the connections of each client address.
     *
     * @param next counts those that come from now on
     */
    public void limitConnections(AddressCounts next) {
        connections = next;
    }

    /**
     * Limits what clients of the container's HTTP/2 may do.
     *
     * @param next for connections that come from now on
     */
    public void guardHttp2(Http2Watch next) {
        http2 = next;
    }

    /** Guards a connection on which the container speaks HTTP/2, once. */
    void guard(NIOConnection connection) {
        Http2Watch watch = http2;
        if (watch != null) {
            Http2Guard.guard(connection, watch);
        }
    }

    /** A client has been let in, unless there are too many. */
    @Override
    public void accepted(NIOConnection client) {
        EdgeRouter present = router;
        if (present != null && present.awaitsProxyHeader()) {
            awaitProxyHeader(client, present.headMillis());
        }
        AddressCounts counts = connections;
        if (counts != null) {
            ClientDoor.enter(client, counts);
        }
    }

    private void awaitProxyHeader(NIOConnection client, long millis) {
        if (client.getPeerAddress() instanceof InetSocketAddress from) {
            String address = from.getAddress().getHostAddress();
            Runnable late = () -> proxyHeaderRefused(address, "no header in time");
            ProxyHeaderTime.begin(client, millis, clock, late);
        }
    }

    /** A connection is closed, as it did not begin as it has to. Any thread. */
    void proxyHeaderRefused(String client, @Nullable String reason) {
        tell(headerLines, "proxy-header-refused client={0} reason=\"{1}\"{2}", client, reason);
    }

    /** A proxy has named the client of a connection; false when that has too many of them. */
    boolean admits(NIOConnection connection, InetAddress client) {
        AddressCounts counts = connections;
        return counts == null || ClientDoor.admits(connection, client, counts);
    }

    @Override
    public void handshakeDone() {
        shaken.increment();
    }

    @Override
    public void handshakeRefused(String client, String reason) {
        refused.increment();
        tell(refusalLines, "https-refused client={0} reason=\"{1}\"{2}", client, reason);
    }

    private static void tell(
            LineLimit lines, String pattern, String client, @Nullable String reason) {
        String omitted = lines.next();
        if (omitted != null) {
            LOG.log(System.Logger.Level.INFO, pattern, client, reason, omitted);
        }
    }

    /**
     * Limits the lines of the log about handshakes that fail, and about PROXY headers.
     *
     * @param perSecond lines a second of each kind; 0 = any number
     */
    public void limitRefusalLines(int perSecond) {
        refusalLines = new LineLimit(perSecond, NanoClock.SYSTEM);
        headerLines = new LineLimit(perSecond, NanoClock.SYSTEM);
    }

    /**
     * Returns how TLS handshakes of clients have ended.
     *
     * @return on all listeners
     */
    public TlsHandshakes handshakes() {
        return new TlsHandshakes(shaken.sum(), refused.sum());
    }

    @Override
    public @Nullable FileSenders senders() {
        return senders;
    }

    InstantSource clock() {
        return clock;
    }

    /** Null while it is shut. */
    @Nullable EdgeRouter router() {
        return router;
    }

    @Override
    public @Nullable ClientReader of(
            NIOConnection connection,
            RunnerLoop loop,
            LazyReads reads,
            ContainerListener listener) {
        return router == null
                ? null
                : EdgeConnection.of(connection, loop(loop), reads, listener, this);
    }

    /** Made for the first connection of its thread; those of threads that have ended are gone. */
    private EdgeLoop loop(RunnerLoop thread) {
        EdgeLoop known = loops.get(thread);
        if (known == null) {
            loops.keySet().removeIf(RunnerLoop::hasEnded);
            known = loops.computeIfAbsent(thread, one -> new EdgeLoop(one, this::loop));
        }
        return known;
    }
}
