package org.lrwp.webapp.container;

import org.glassfish.grizzly.filterchain.Filter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.nio.SelectorRunner;
import org.glassfish.grizzly.nio.transport.TCPNIOServerConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.glassfish.grizzly.strategies.WorkerThreadIOStrategy;
import org.glassfish.grizzly.threadpool.GrizzlyExecutorService;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;
import org.glassfish.grizzly.utils.DelayedExecutor;
import org.glassfish.grizzly.utils.IdleTimeoutFilter;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The HTTP listener of a server of its own, on a transport as the container has them. It is there
 * before the container, which starts when a request needs it: {@link LateContainer}.
 *
 * <p>Its port is open only while the application can answer. Not thread-safe, but for what the
 * transport does.
 */
public final class OwnListener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(OwnListener.class.getName());
    private static final String NAME = "http-listener";

    /** How long a client may be silent between requests. */
    private static final long IDLE_SECONDS = 30;

    private static final long IDLE_STEP_SECONDS = 1;

    private static final int NO_LIMIT = -1;

    /** Clients that wait to be let in. */
    private static final int BACKLOG = 4096;

    private static final long LONGEST_CLOSE_SECONDS = 2;

    private final TCPNIOTransport transport;
    private final ExecutorService idleThread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name(NAME + "-idle").factory());
    private final DelayedExecutor idleChecks =
            new DelayedExecutor(idleThread, IDLE_STEP_SECONDS, TimeUnit.SECONDS);
    private final FilterChain filters;
    private final LateContainer container;

    /** Until the container brings its own. */
    private final ExecutorService threads;

    private final ContainerListener described;
    private @Nullable TCPNIOServerConnection port;

    private OwnListener(int most, boolean http2, Callable<TCPNIOTransport> boot) {
        this.threads = GrizzlyExecutorService.createInstance(pool(NAME, 1, most));
        this.transport = make(threads);
        this.filters =
                FilterChainBuilder.stateless()
                        .add(new TransportFilter())
                        .add(new IdleTimeoutFilter(idleChecks, IDLE_SECONDS, TimeUnit.SECONDS))
                        .build();
        transport.setProcessor(filters);
        this.container = new LateContainer(boot, this::join);
        this.described =
                new ContainerListener(
                        NAME,
                        transport,
                        new KeepAliveLimits(TimeUnit.SECONDS.toMillis(IDLE_SECONDS), NO_LIMIT),
                        false,
                        http2,
                        container);
    }

    private static TCPNIOTransport make(ExecutorService threads) {
        TCPNIOTransport made = TCPNIOTransportBuilder.newInstance().build();
        int selectors = Runtime.getRuntime().availableProcessors() + LobbyDistributor.THREADS;
        made.setSelectorRunnersCount(selectors);
        made.setKernelThreadPoolConfig(pool(NAME + "-kernel", selectors, selectors));
        made.setWorkerThreadPool(threads);
        made.setIOStrategy(WorkerThreadIOStrategy.getInstance());
        made.setNIOChannelDistributor(new LobbyDistributor(made));
        made.setTcpNoDelay(true);
        made.setServerConnectionBackLog(BACKLOG);
        return made;
    }

    private static ThreadPoolConfig pool(String name, int least, int most) {
        return ThreadPoolConfig.defaultConfig()
                .setPoolName(name)
                .setCorePoolSize(least)
                .setMaxPoolSize(most);
    }

    /**
     * Starts a listener without a port.
     *
     * @param threads threads for what blocks, such as computations of TLS, until the container
     *     brings its own
     * @param http2 whether the container will speak HTTP/2 on it
     * @param boot starts the container and its application, and returns the transport of its
     *     listener, which has no port; called once at most, and blocks
     * @return the listener
     * @throws IOException when the system gives no selectors
     */
    public static OwnListener start(int threads, boolean http2, Callable<TCPNIOTransport> boot)
            throws IOException {
        var made = new OwnListener(threads, http2, boot);
        made.transport.start();
        made.idleChecks.start();
        return made;
    }

    /** The container has come: its threads and filters serve what is given to it. */
    private void join(TCPNIOTransport containers, List<Filter> more) {
        transport.setWorkerThreadPool(containers.getWorkerThreadPool());
        transport.setProcessor(LateContainer.behind(filters, more));
    }

    /**
     * Opens a transport for peers on its selector threads.
     *
     * @param readers reads its clients
     * @return an open transport; whoever asked for it closes it
     */
    public ContainerTransport transport(ClientReaders readers) {
        return new ContainerTransport(List.of(described), () -> List.of(described), readers);
    }

    /**
     * Returns what answers whatever is for no peer.
     *
     * @return up or not
     */
    public LateContainer container() {
        return container;
    }

    /**
     * Lets clients in.
     *
     * @param address local address and port; port 0 = any free one
     * @return the port
     * @throws IOException when the address cannot be had
     */
    public int open(InetSocketAddress address) throws IOException {
        TCPNIOServerConnection bound = transport.bind(address, BACKLOG);
        port = bound;
        return bound.getLocalAddress() instanceof InetSocketAddress actual
                ? actual.getPort()
                : address.getPort();
    }

    /**
     * Lets nobody in any more. Blocks until the system has the port back, or for two seconds;
     * connections go on.
     */
    public void shut() {
        TCPNIOServerConnection open = port;
        port = null;
        if (open == null) {
            return;
        }
        SelectorRunner runner = open.getSelectorRunner();
        transport.unbind(open);
        if (runner != null) {
            awaitClosed(runner);
        }
    }

    /** The system has it back when its selector has looked for events once more. */
    private void awaitClosed(SelectorRunner runner) {
        var looked = new CountDownLatch(1);
        transport
                .getSelectorHandler()
                .execute(
                        runner,
                        () -> {
                            looked.countDown();
                            return true;
                        },
                        null);
        try {
            if (!looked.await(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "http-port-busy");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Cuts all connections and stops. */
    @Override
    public void close() {
        try {
            transport.shutdownNow();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "listener-not-stopped", e);
        }
        threads.shutdown();
        idleChecks.stop();
        idleChecks.destroy();
        idleThread.shutdown();
    }
}
