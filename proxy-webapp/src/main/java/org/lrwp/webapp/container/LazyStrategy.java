package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.Transport;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.strategies.SameThreadIOStrategy;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;
import org.glassfish.grizzly.threadpool.Threads;
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.files.FileSenders;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Has events of clients and peers handled on the selector thread that saw them; requests go on from
 * there to where their handler's executor says. Thread-safe.
 */
@SuppressWarnings("rawtypes") // As the interface has them.
public final class LazyStrategy implements ReaderStrategy, Supplier<IOStrategy> {
    private static final System.Logger LOG = System.getLogger(LazyStrategy.class.getName());
    private static final IOStrategy REST = SameThreadIOStrategy.getInstance();

    /** Told of each new client, on its selector thread. */
    interface Newcomers {
        /** Returns what reads the connection before the container; null when nothing does. */
        @Nullable ClientReader arrived(NIOConnection connection, LazyReads reads);

        /** A connection has been accepted; on the selector thread of its port. */
        void accepted(NIOConnection connection);

        /** Returns the turns of the peers on its thread. */
        PeerTurns turns(NIOConnection connection);
    }

    /**
     * What is known of a client.
     *
     * @param handshakes how its TLS handshake is computed, in which the container may wait for it;
     *     null without TLS
     */
    private record Known(
            LazyReads reads,
            PeerTurns turns,
            @Nullable ClientReader reader,
            @Nullable IOStrategy handshakes) {
        static Known of(NIOConnection newcomer, Newcomers newcomers, IOStrategy workers) {
            var reads = new LazyReads();
            ClientReader reader = newcomers.arrived(newcomer, reads);
            if (reader != null) {
                WhenClosed.of(newcomer, reader::closed);
            }
            IOStrategy handshakes = null;
            if (newcomer.getProcessor() instanceof FilterChain filters) {
                IOStrategy ours = HttpsFilter.strategy(filters);
                boolean containers = ours == null && ContainerListener.isSecure(filters);
                handshakes = containers ? workers : ours;
            }
            return new Known(reads, newcomers.turns(newcomer), reader, handshakes);
        }

        /** Who reads what the reader has left, and may wait for the client. */
        IOStrategy next(IOStrategy before, IOStrategy containers) {
            if (reader == null) {
                return before;
            }
            return handshakes != null && reader.isShaking() ? handshakes : containers;
        }
    }

    private final IOStrategy before;
    private final IOStrategy containers;
    private final IOStrategy workers;
    private final Newcomers newcomers;
    private final Supplier<@Nullable FileSenders> senders;

    /** A name of its own: another copy of this application may have put its objects there. */
    private final Attribute<Known> known =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(
                    "org.lrwp.reads." + System.identityHashCode(this));

    /**
     * Connections that were accepted here. What comes on an older one may be the rest of a request
     * that the container reads already, so it stays the container's, as if nobody was here.
     */
    private final Attribute<Boolean> fresh =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(
                    "org.lrwp.fresh." + System.identityHashCode(this));

    private volatile boolean retired;

    /**
     * Creates a strategy.
     *
     * @param before the one that it takes the place of
     * @param newcomers told of each new client
     * @param senders who may send files past the container's filters; null while nobody may
     */
    LazyStrategy(IOStrategy before, Newcomers newcomers, Supplier<@Nullable FileSenders> senders) {
        this.before = before;
        this.containers = below(before);
        this.workers = new WorkerHandshakes(containers);
        this.newcomers = newcomers;
        this.senders = senders;
    }

    /** The strategy that was there before. */
    IOStrategy before() {
        return before;
    }

    /** The same, for other copies of this application, which know no class of this one. */
    @Override
    public IOStrategy get() {
        return before;
    }

    /** The container's own: two copies of this application must not read the same connection. */
    private static IOStrategy below(IOStrategy strategy) {
        IOStrategy found = strategy;
        while (found instanceof Supplier<?> copy && copy.get() instanceof IOStrategy inner) {
            found = inner;
        }
        return found;
    }

    /** Who may send files past the container's filters; null when nobody may. */
    @Nullable FileSenders senders() {
        return retired ? null : senders.get();
    }

    @Override
    public @Nullable ClientReader readerOf(Connection<?> connection) {
        Known client = known.get(connection);
        return client == null ? null : client.reader();
    }

    /** From now on only what has begun is handled here; all else goes to the strategy before. */
    void retire() {
        retired = true;
    }

    @Override
    public boolean executeIoEvent(Connection connection, IOEvent event) throws IOException {
        return executeIoEvent(connection, event, true);
    }

    @Override
    public boolean executeIoEvent(Connection connection, IOEvent event, boolean enabled)
            throws IOException {
        if (connection.getProcessor() instanceof RunnerLink link) {
            link.handle(event);
            return true;
        }
        if (retired) {
            Known client = known.get(connection);
            if (event != IOEvent.READ || client == null) {
                return before.executeIoEvent(connection, event, enabled);
            }
            if (client.reads().mayRead(connection)) {
                ClientReader reader = client.reader();
                if (reader == null || !reader.isAmid()) {
                    return before.executeIoEvent(connection, event, enabled);
                }
                return read(connection, client, enabled);
            }
            return true;
        }
        if (event == IOEvent.SERVER_ACCEPT) {
            Entrance.open(connection, enabled, this::accepted);
            return true;
        }
        if (!fresh.isSet(connection)) {
            return before.executeIoEvent(connection, event, enabled);
        }
        if (event != IOEvent.READ) {
            return REST.executeIoEvent(connection, event, enabled);
        }
        Known client = of(connection);
        ClientReader reader = client.reader();
        if (client.reads().isOpen()) {
            boolean goesOn = read(connection, client, enabled);
            client.turns().clientRead();
            return goesOn;
        }
        if (reader == null || !reader.watch()) {
            client.reads().park(connection);
        }
        return true;
    }

    private void accepted(NIOConnection newcomer) {
        fresh.set(newcomer, true);
        newcomers.accepted(newcomer);
    }

    private Known of(Connection<?> connection) {
        Known client = known.get(connection);
        if (client == null) {
            client = Known.of((NIOConnection) connection, newcomers, workers);
            known.set(connection, client);
        }
        return client;
    }

    /** Returns whether the thread goes on with other connections, as strategies tell it. */
    private boolean read(Connection<?> connection, Known client, boolean enabled)
            throws IOException {
        ClientReader reader = client.reader();
        try {
            if (reader == null || !reader.read()) {
                if (client.handshakes() != null && (reader == null || reader.isContainers())) {
                    return client.next(before, containers)
                            .executeIoEvent(connection, IOEvent.READ, enabled);
                }
                connection.getTransport().fireIOEvent(IOEvent.READ, connection, client.reads());
                Http2Streams.look(connection);
                if (reader != null) {
                    reader.containerHasRead();
                }
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "client-event-failed", e);
            connection.closeSilently();
        } finally {
            remainService();
        }
        return true;
    }

    /**
     * Grizzly's HTTP/2 leaves a selector thread marked as one that requests may block. All that
     * came to it later, of other clients too, would be handled on it, and read on into the next
     * request before its end.
     */
    private static void remainService() {
        if (!Threads.isService()) {
            Threads.setService(true);
        }
    }

    /**
     * Lets go of a connection: if its request is not answered, its next bytes wait, and nobody gets
     * what is left of a request. On its selector thread.
     */
    void letGo(Connection<?> connection) throws IOException {
        Known client = known.get(connection);
        if (client == null) {
            return;
        }
        client.reads().park(connection);
        ClientReader reader = client.reader();
        if (reader != null) {
            reader.letGo();
        }
    }

    @Override
    public Executor getThreadPoolFor(Connection connection, IOEvent event) {
        return before.getThreadPoolFor(connection, event);
    }

    @Override
    public ThreadPoolConfig createDefaultWorkerPoolConfig(Transport transport) {
        return before.createDefaultWorkerPoolConfig(transport);
    }
}
