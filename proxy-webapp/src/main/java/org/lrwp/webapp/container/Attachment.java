package org.lrwp.webapp.container;

import org.glassfish.grizzly.Processor;
import org.glassfish.grizzly.Transport;
import org.glassfish.grizzly.TransportProbe;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.PooledMemoryManager;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.SelectorRunner;
import org.glassfish.grizzly.nio.transport.TCPNIOBindingHandler;
import org.glassfish.grizzly.nio.transport.TCPNIOServerConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.PeerSocket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What this application puts into one transport of the container: its strategy and memory, a probe
 * that tells of the transport's end, ports for peers, and their connections. {@link #release} takes
 * all of it out again. Thread-safe.
 */
final class Attachment {
    private static final System.Logger LOG = System.getLogger(Attachment.class.getName());
    private static final long RELEASE_MILLIS = 2_000;

    /** Bytes of the smallest kind of buffer, kinds of buffers, doublings from kind to kind. */
    private static final int BUFFER_SIZE = 4096;

    private static final int BUFFER_SIZES = 3;
    private static final int BUFFER_GROWTH = 2;

    /** Of the heap: what free buffers may hold, and what of that is made at once. */
    private static final float SHARE_OF_HEAP = 0.02f;

    private static final float SHARE_IN_ADVANCE = 0.01f;

    private final TCPNIOTransport transport;
    private final OrphanTasks orphans;
    private final LazyStrategy strategy;
    private final TransportProbe probe;
    private final MemoryManager<?> memoryBefore;
    private final HandshakeWatch handshakes;
    private final Map<SelectorRunner, RunnerLoop> loops = new ConcurrentHashMap<>();
    private final Set<RunnerLink> links = ConcurrentHashMap.newKeySet();

    /**
     * Puts in strategy, memory and probe.
     *
     * @param listener one that runs
     * @param readers may read its clients before it does
     * @param orphans runs what is left of loops that the container has ended
     * @param whenStopped called by any thread when the container has stopped the transport
     */
    Attachment(
            ContainerListener listener,
            ClientReaders readers,
            OrphanTasks orphans,
            Runnable whenStopped) {
        this.transport = listener.transport();
        this.orphans = orphans;
        this.strategy =
                new LazyStrategy(
                        transport.getIOStrategy(),
                        new Newcomers(listener, readers),
                        () -> listener.compresses() ? null : readers.senders());
        this.probe = new StopProbe(whenStopped);
        this.memoryBefore = transport.getMemoryManager();
        this.handshakes = new HandshakeWatch(readers);
        transport.getMonitoringConfig().addProbes(probe);
        transport.setIOStrategy(strategy);
        SSLBaseFilter tls = tls();
        if (tls == null) {
            transport.setMemoryManager(memory());
        } else {
            tls.addHandshakeListener(handshakes);
        }
    }

    /** That of the container; null when it speaks none here. */
    private @Nullable SSLBaseFilter tls() {
        if (!(transport.getProcessor() instanceof FilterChain filters)) {
            return null;
        }
        int index = filters.indexOfType(SSLBaseFilter.class);
        return index < 0 ? null : (SSLBaseFilter) filters.get(index);
    }

    /**
     * Memory that is used again only when nobody needs any part of it. The container's own gives a
     * request's bytes back at the end of its answer even if pipelined requests lie behind them:
     * when both ends of an exchange are on one thread, the next answer is written over them. Behind
     * TLS the container decrypts into buffers of its own.
     */
    private static MemoryManager<?> memory() {
        return new PooledMemoryManager(
                BUFFER_SIZE,
                BUFFER_SIZES,
                BUFFER_GROWTH,
                Runtime.getRuntime().availableProcessors(),
                SHARE_OF_HEAP,
                SHARE_IN_ADVANCE,
                false);
    }

    TCPNIOTransport transport() {
        return transport;
    }

    boolean isRunning() {
        return transport.getState().getState() == Transport.State.STARTED;
    }

    /**
     * Opens a port.
     *
     * @param address local address and port; port 0 = any free one
     * @param accepted called on its loop for each new link
     * @throws IOException when the address cannot be had
     */
    TCPNIOServerConnection bind(InetSocketAddress address, Consumer<Link> accepted)
            throws IOException {
        return bind(address, new PeerAcceptor(connection -> accept(connection, accepted)));
    }

    /**
     * Opens a port where clients speak HTTPS.
     *
     * @param address local address and port
     * @param clients the TLS of each connection
     * @throws IOException when the address cannot be had
     */
    TCPNIOServerConnection bindSecure(InetSocketAddress address, ClientTls clients)
            throws IOException {
        if (transport.getProcessor() instanceof FilterChain filters) {
            return bind(address, HttpsFilter.before(filters, clients, handshakes));
        }
        throw new IOException("the container's listener has no filters");
    }

    private void accept(NIOConnection connection, Consumer<Link> accepted) {
        try {
            PeerSocket.prepare((SocketChannel) connection.getChannel());
            RunnerLoop loop = loop(connection.getSelectorRunner());
            LobbyDistributor lobby = lobby();
            Supplier<RunnerLoop> home = lobby == null ? null : () -> loop(lobby.next());
            var link = new RunnerLink(connection, loop, home, links::remove);
            links.add(link);
            connection.setProcessor(link);
            accepted.accept(link);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "accepted-link-failed", e);
            connection.terminateSilently();
        }
    }

    private TCPNIOServerConnection bind(InetSocketAddress address, Processor<?> processor)
            throws IOException {
        return TCPNIOBindingHandler.builder(transport).processor(processor).build().bind(address);
    }

    /** Closes a port; blocks until the system has it back, or for two seconds. */
    void unbind(TCPNIOServerConnection port) {
        SelectorRunner runner = port.getSelectorRunner();
        transport.unbind(port);
        if (runner != null) {
            RunnerLoop loop = loop(runner);
            var done = new CountDownLatch(1);
            loop.afterNextSelect(done::countDown);
            await(loop, done);
        }
    }

    /** The loop of the calling thread; null elsewhere. Any thread. */
    @Nullable Executor here() {
        RunnerLoop loop = RunnerLoop.current(loops.values());
        return loop == null ? null : loop::execute;
    }

    /** Selector threads that have clients and registered peers. */
    int threads() {
        int all = transport.getSelectorRunnersCount();
        return lobby() == null ? all : all - LobbyDistributor.THREADS;
    }

    /** Null where strangers have no thread of their own. */
    private @Nullable LobbyDistributor lobby() {
        return transport.getNIOChannelDistributor() instanceof LobbyDistributor lobby
                ? lobby
                : null;
    }

    private RunnerLoop loop(SelectorRunner runner) {
        return loops.computeIfAbsent(
                runner, one -> new RunnerLoop(transport, one, orphans, loops.values()));
    }

    /** Closes all connections, and gives the transport back as it was. */
    void release() {
        links.forEach(link -> link.execute(link::close));
        transport.getMonitoringConfig().removeProbes(probe);
        strategy.retire();
        SSLBaseFilter tls = tls();
        if (tls != null) {
            tls.removeHandshakeListener(handshakes);
        }
        boolean last = true;
        for (RunnerLoop loop : loops.values()) {
            last &= await(loop);
        }
        if (!last) {
            LOG.log(System.Logger.Level.WARNING, "container-thread-busy");
        }
        if (transport.getIOStrategy() == strategy) {
            transport.setIOStrategy(strategy.before());
            transport.setMemoryManager(memoryBefore);
        }
    }

    /** Waits until a loop has done all that it was given, and has let go of its connections. */
    private boolean await(RunnerLoop loop) {
        var done = new CountDownLatch(1);
        loop.execute(
                () -> {
                    letGo(loop);
                    done.countDown();
                });
        return await(loop, done);
    }

    private static boolean await(RunnerLoop loop, CountDownLatch done) {
        try {
            return loop.isCurrent() || done.await(RELEASE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void letGo(RunnerLoop loop) {
        if (!loop.isCurrent()) {
            return;
        }
        for (SelectionKey key : loop.keys()) {
            NIOConnection connection = transport.getSelectionKeyHandler().getConnectionForKey(key);
            try {
                if (connection != null) {
                    strategy.letGo(connection);
                }
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "client-not-let-go", e);
            }
        }
    }

    /** Knows who may read clients' connections before the container. */
    private final class Newcomers implements LazyStrategy.Newcomers {
        private final ContainerListener listener;
        private final ClientReaders readers;

        Newcomers(ContainerListener listener, ClientReaders readers) {
            this.listener = listener;
            this.readers = readers;
        }

        @Override
        public @Nullable ClientReader arrived(NIOConnection connection, LazyReads reads) {
            return readers.of(connection, loop(connection.getSelectorRunner()), reads, listener);
        }

        @Override
        public void accepted(NIOConnection connection) {
            readers.accepted(connection);
        }

        @Override
        public PeerTurns turns(NIOConnection connection) {
            return loop(connection.getSelectorRunner()).turns();
        }
    }

    /** Tells of the end of the transport. */
    private static final class StopProbe extends TransportProbe.Adapter {
        private final Runnable whenStopped;

        StopProbe(Runnable whenStopped) {
            this.whenStopped = whenStopped;
        }

        @Override
        public void onStopEvent(Transport stopped) {
            whenStopped.run();
        }
    }
}
