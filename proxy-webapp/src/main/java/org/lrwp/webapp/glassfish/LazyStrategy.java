package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.IOEventLifeCycleListener;
import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.Transport;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.SelectorRunner;
import org.glassfish.grizzly.strategies.SameThreadIOStrategy;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Has events of clients and peers handled on the selector thread that saw them; requests go on from
 * there to where their handler's executor says. Thread-safe.
 */
@SuppressWarnings("rawtypes") // As the interface has them.
final class LazyStrategy implements IOStrategy {
    private static final System.Logger LOG = System.getLogger(LazyStrategy.class.getName());
    private static final IOStrategy REST = SameThreadIOStrategy.getInstance();

    private final IOStrategy before;
    private final Consumer<SelectorRunner> seen;

    /** A name of its own: another copy of this application may have put its objects there. */
    private final Attribute<LazyReads> reads =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(
                    "org.lrwp.reads." + System.identityHashCode(this));

    private volatile boolean retired;

    /**
     * Creates a strategy.
     *
     * @param before the one that it takes the place of
     * @param seen told of the selector thread of each new client
     */
    LazyStrategy(IOStrategy before, Consumer<SelectorRunner> seen) {
        this.before = before;
        this.seen = seen;
    }

    /** The strategy that was there before. */
    IOStrategy before() {
        return before;
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
            LazyReads busy = reads.get(connection);
            if (event != IOEvent.READ || busy == null || busy.mayRead(connection)) {
                return before.executeIoEvent(connection, event, enabled);
            }
            return true;
        }
        if (event != IOEvent.READ) {
            return REST.executeIoEvent(connection, event, enabled);
        }
        LazyReads listener = of(connection);
        if (listener.mayRead(connection)) {
            fire(connection, listener);
        }
        return true;
    }

    private LazyReads of(Connection<?> connection) {
        LazyReads known = reads.get(connection);
        if (known == null) {
            known = new LazyReads();
            if (connection instanceof NIOConnection client) {
                seen.accept(client.getSelectorRunner());
            }
            reads.set(connection, known);
        }
        return known;
    }

    private static void fire(Connection<?> connection, IOEventLifeCycleListener listener) {
        try {
            connection.getTransport().fireIOEvent(IOEvent.READ, connection, listener);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "client-event-failed", e);
            connection.closeSilently();
        }
    }

    /** Has a connection whose request is not answered wait with its next octets. */
    void park(Connection<?> connection) throws IOException {
        LazyReads busy = reads.get(connection);
        if (busy != null) {
            busy.park(connection);
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
