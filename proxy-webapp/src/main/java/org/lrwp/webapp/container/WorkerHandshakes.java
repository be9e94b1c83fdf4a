package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.strategies.AbstractIOStrategy;

import java.io.IOException;
import java.util.concurrent.Executor;

/**
 * Has the handshakes of the container's TLS computed where the container has them computed. On the
 * connection's selector thread; never blocks unless the container's own strategy does.
 */
@SuppressWarnings("rawtypes") // As the container has them.
final class WorkerHandshakes extends AbstractIOStrategy {
    private final IOStrategy containers;

    /**
     * Creates it.
     *
     * @param containers the container's own
     */
    WorkerHandshakes(IOStrategy containers) {
        this.containers = containers;
    }

    @Override
    public boolean executeIoEvent(Connection connection, IOEvent event, boolean enabled)
            throws IOException {
        Executor workers = containers.getThreadPoolFor(connection, event);
        if (workers == null) {
            return containers.executeIoEvent(connection, event, enabled);
        }
        if (enabled) {
            connection.disableIOEvent(event);
        }
        workers.execute(() -> HandshakeRun.fire(connection));
        return true;
    }

    @Override
    public Executor getThreadPoolFor(Connection connection, IOEvent event) {
        return containers.getThreadPoolFor(connection, event);
    }
}
