package org.lrwp.webapp.container;

import org.glassfish.grizzly.filterchain.Filter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.utils.IdleTimeoutFilter;
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.client.ErrorAnswer;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The servlet container of a server that has a listener of its own: it starts when the first
 * request needs it, and its filters are put behind those of the listener then.
 *
 * <pre>
 *   ABSENT --required--> STARTING --its application is there--> UP
 *                           \------------fault---------------> FAILED
 * </pre>
 *
 * <p>Any thread; only {@link #require} blocks.
 */
public final class LateContainer {
    private static final System.Logger LOG = System.getLogger(LateContainer.class.getName());

    /** How long a request waits for it. */
    private static final Duration LONGEST_START = Duration.ofSeconds(30);

    private final Callable<TCPNIOTransport> boot;
    private final BiConsumer<TCPNIOTransport, List<Filter>> joined;

    /** Null while it is absent; done when it is up. */
    private final AtomicReference<@Nullable CompletableFuture<List<Filter>>> start =
            new AtomicReference<>();

    /**
     * Creates it absent.
     *
     * @param boot starts the container and its application, and returns the transport of its
     *     listener, which has no port; called once at most, and blocks
     * @param joined told of that transport, and of its filters behind those of the listener, before
     *     any request is given to them
     */
    LateContainer(
            Callable<TCPNIOTransport> boot, BiConsumer<TCPNIOTransport, List<Filter>> joined) {
        this.boot = boot;
        this.joined = joined;
    }

    /**
     * Says whether requests can be given to it.
     *
     * @return whether it is up
     */
    public boolean isUp() {
        CompletableFuture<List<Filter>> begun = start.get();
        return begun != null && begun.isDone() && !begun.isCompletedExceptionally();
    }

    /**
     * Has it start, if nobody has, and tells when it is up.
     *
     * @param told null when it is; else what the client gets. Called once, by any thread
     */
    public void whenUp(Consumer<@Nullable ErrorAnswer> told) {
        var _ =
                begun().copy()
                        .orTimeout(LONGEST_START.toSeconds(), TimeUnit.SECONDS)
                        .whenComplete((_, fault) -> told.accept(refusal(fault)));
    }

    /** Its start, which goes on or is over. */
    private CompletableFuture<List<Filter>> begun() {
        CompletableFuture<List<Filter>> known = start.get();
        if (known != null) {
            return known;
        }
        var fresh = new CompletableFuture<List<Filter>>();
        if (!start.compareAndSet(null, fresh)) {
            return begun();
        }
        Thread starter =
                Thread.ofPlatform()
                        .daemon()
                        .name("lrwp-container-start")
                        .unstarted(() -> run(fresh));
        // Whoever needs it first may be a thread of another class loader.
        starter.setContextClassLoader(LateContainer.class.getClassLoader());
        starter.start();
        return fresh;
    }

    private static @Nullable ErrorAnswer refusal(@Nullable Throwable fault) {
        return fault == null ? null : ErrorAnswer.ofContainer(!(fault instanceof TimeoutException));
    }

    private void run(CompletableFuture<List<Filter>> begun) {
        long since = System.nanoTime();
        try {
            TCPNIOTransport transport = boot.call();
            List<Filter> filters = behindSocket(transport);
            joined.accept(transport, filters);
            // First: whoever waits for it goes on, and says more.
            LOG.log(
                    Level.INFO,
                    "container-started milliseconds={0,number,#}",
                    Duration.ofNanos(System.nanoTime() - since).toMillis());
            begun.complete(filters);
        } catch (Exception | Error e) {
            LOG.log(Level.ERROR, "container-not-started", e);
            begun.completeExceptionally(e);
        }
    }

    /** What the listener has already is left out. */
    private static List<Filter> behindSocket(TCPNIOTransport transport) throws IOException {
        if (!(transport.getProcessor() instanceof FilterChain filters)) {
            throw new IOException("the container's listener has no filters");
        }
        List<Filter> behind = new ArrayList<>();
        for (Filter one : filters) {
            if (!(one instanceof TransportFilter || one instanceof IdleTimeoutFilter)) {
                behind.add(one);
            }
        }
        return List.copyOf(behind);
    }

    /**
     * Starts it, if nobody has, and waits until it is up, however long that takes.
     *
     * @throws IOException when it does not start
     */
    public void require() throws IOException {
        try {
            begun().join();
        } catch (CompletionException e) {
            throw new IOException("the servlet container did not start", e.getCause());
        }
    }

    /**
     * Waits until a start that goes on is over, whatever becomes of it.
     *
     * @param most how long at most
     * @throws InterruptedException when the thread is interrupted
     */
    public void settle(Duration most) throws InterruptedException {
        CompletableFuture<List<Filter>> known = start.get();
        try {
            if (known != null) {
                known.get(most.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "container-not-settled", e);
        }
    }

    /**
     * Puts its filters behind those of a connection that was there before it. On the connection's
     * loop, when it is up.
     *
     * @param connection of a client
     */
    public void join(NIOConnection connection) {
        CompletableFuture<List<Filter>> begun = start.get();
        if (begun != null
                && connection.getProcessor() instanceof FilterChain filters
                && filters.indexOfType(HttpServerFilter.class) < 0) {
            connection.setProcessor(behind(filters, begun.join()));
        }
    }

    /** Filters behind others. */
    static FilterChain behind(FilterChain filters, List<Filter> more) {
        FilterChainBuilder builder = FilterChainBuilder.stateless().addAll(filters);
        more.forEach(builder::add);
        return builder.build();
    }
}
