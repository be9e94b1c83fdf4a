package org.lrwp.webapp.container;

import org.glassfish.grizzly.nio.transport.TCPNIOServerConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.TransportStatus;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Peers' connections on the selector threads of one of the container's HTTP listeners, so that a
 * request needs no other thread on its way from client to peer and back.
 *
 * <pre>
 *   ATTACHED --listener stopped--> DETACHED --listener runs again--> ATTACHED
 *       \------------------------------\-----------close------------> CLOSED
 * </pre>
 *
 * <p>Purpose: survive the container, which makes a new listener whenever one of its settings
 * changes. Design: one thread of its own looks for the new listener, opens the ports again at the
 * same addresses, and runs what is left of connections that went down with the old one. It looks
 * for further listeners too, once a second. Thread-safe; only {@link #listen} and {@link #close}
 * block.
 */
public final class ContainerTransport implements Transport {
    private enum State {
        ATTACHED,
        DETACHED,
        CLOSED
    }

    private static final System.Logger LOG = System.getLogger(ContainerTransport.class.getName());
    private static final long LOOK_MILLIS = 50;
    private static final long FURTHER_MILLIS = 1_000;

    private final Supplier<List<ContainerListener>> finder;
    private final boolean secure;
    private final ClientReaders readers;
    private final ScheduledExecutorService keeper;
    private final OrphanTasks orphans;
    private final List<Port> ports = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile State state = State.ATTACHED;
    private volatile String name;
    private volatile int threads;
    private final AtomicLong restarts = new AtomicLong();
    private final FurtherListeners further;
    private volatile Attachment attachment;
    private boolean told;

    /**
     * Attaches itself to the listeners that run: peers share the first one without TLS, or the
     * first one.
     *
     * @param running at least one
     * @param finder looks for the listeners that run now
     * @param readers may read the container's clients before it does
     */
    public ContainerTransport(
            List<ContainerListener> running,
            Supplier<List<ContainerListener>> finder,
            ClientReaders readers) {
        ContainerListener first = Objects.requireNonNullElse(first(running, false), running.get(0));
        this.finder = finder;
        this.readers = readers;
        this.name = first.name();
        this.secure = first.isSecure();
        this.keeper =
                Executors.newSingleThreadScheduledExecutor(
                        task -> Thread.ofPlatform().daemon().name("lrwp-listener").unstarted(task));
        this.orphans = new OrphanTasks(keeper);
        this.further = new FurtherListeners(readers, orphans);
        this.attachment = attach(first);
        further.look(running, first.transport());
        var _ =
                keeper.scheduleWithFixedDelay(
                        this::lookFurther, FURTHER_MILLIS, FURTHER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static @Nullable ContainerListener first(
            List<ContainerListener> running, boolean secure) {
        return running.stream().filter(one -> one.isSecure() == secure).findFirst().orElse(null);
    }

    @Override
    public @Nullable Executor here() {
        return attachment.here();
    }

    private Attachment attach(ContainerListener listener) {
        var made = new Attachment(listener, readers, orphans, this::stopped);
        threads = made.threads();
        return made;
    }

    @Override
    public Listener listen(InetSocketAddress address, Consumer<Link> accepted) throws IOException {
        return listen(address, (place, at) -> place.bind(at, accepted));
    }

    /**
     * Opens a port where clients speak HTTPS, beside those of the container. Blocks.
     *
     * @param address local address and port
     * @param clients the TLS of each connection
     * @return the open port
     * @throws IOException when the address cannot be had
     */
    public Listener listenSecure(InetSocketAddress address, ClientTls clients) throws IOException {
        return listen(address, (place, at) -> place.bindSecure(at, clients));
    }

    private Listener listen(InetSocketAddress address, Opening opening) throws IOException {
        lock.lock();
        try {
            var port = new Port(address, opening);
            port.open(attachment);
            ports.add(port);
            return port;
        } finally {
            lock.unlock();
        }
    }

    // ---- The container's listener comes and goes.

    private void stopped() {
        try {
            keeper.execute(this::detach);
        } catch (RejectedExecutionException closed) {
            LOG.log(System.Logger.Level.DEBUG, "stopped-after-close", closed);
        }
    }

    private void detach() {
        lock.lock();
        try {
            if (state != State.ATTACHED || attachment.isRunning()) {
                return;
            }
            state = State.DETACHED;
        } finally {
            lock.unlock();
        }
        LOG.log(System.Logger.Level.WARNING, "container-listener-stopped name={0}", name);
        look();
    }

    private void look() {
        lock.lock();
        try {
            if (state != State.DETACHED) {
                return;
            }
            ContainerListener found = first(finder.get(), secure);
            if (found != null) {
                name = found.name();
                attachAgain(found);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            tellOnce(e);
        } finally {
            lock.unlock();
        }
        if (state == State.DETACHED) {
            var _ = keeper.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void attachAgain(ContainerListener found) throws IOException {
        further.giveUp(found.transport());
        Attachment next = attach(found);
        try {
            for (Port port : ports) {
                port.open(next);
            }
        } catch (IOException | RuntimeException e) {
            ports.forEach(Port::unbind);
            next.release();
            throw e;
        }
        attachment = next;
        state = State.ATTACHED;
        told = false;
        restarts.incrementAndGet();
        LOG.log(System.Logger.Level.INFO, "container-listener-back name={0}", name);
    }

    /** A listener comes with a new setting, and a changed one is another one. */
    private void lookFurther() {
        lock.lock();
        try {
            if (state == State.ATTACHED) {
                further.look(finder.get(), attachment.transport());
            }
        } catch (RuntimeException | LinkageError e) {
            tellOnce(e);
        } finally {
            lock.unlock();
        }
    }

    private void tellOnce(Throwable fault) {
        if (!told) {
            told = true;
            LOG.log(System.Logger.Level.WARNING, "container-listener-not-usable", fault);
        }
    }

    @Override
    public TransportStatus status() {
        return new TransportStatus(
                "container " + name, "", threads, state == State.ATTACHED, restarts.get());
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                return;
            }
            state = State.CLOSED;
            ports.forEach(Port::close);
            attachment.release();
            further.release();
        } finally {
            lock.unlock();
        }
        keeper.shutdownNow();
    }

    /** How a port is opened at the container's present listener. */
    private interface Opening {
        TCPNIOServerConnection at(Attachment place, InetSocketAddress address) throws IOException;
    }

    /** One port of ours, wherever the container's listener is at present. */
    private final class Port implements Listener {
        private final Opening opening;
        private volatile InetSocketAddress address;
        private @Nullable Attachment place;
        private @Nullable TCPNIOServerConnection server;

        Port(InetSocketAddress address, Opening opening) {
            this.address = address;
            this.opening = opening;
        }

        void open(Attachment where) throws IOException {
            TCPNIOServerConnection bound = opening.at(where, address);
            place = where;
            server = bound;
            if (bound.getLocalAddress() instanceof InetSocketAddress actual) {
                // Peers dial the same port again, also if any one was asked for.
                address = actual;
            }
        }

        void unbind() {
            TCPNIOServerConnection bound = server;
            Attachment where = place;
            if (bound != null && where != null) {
                where.unbind(bound);
            }
            server = null;
        }

        @Override
        public InetSocketAddress address() {
            return address;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                ports.remove(this);
                unbind();
            } finally {
                lock.unlock();
            }
        }
    }
}
