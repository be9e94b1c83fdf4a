package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.strategies.AbstractIOStrategy;
import org.lrwp.engine.transport.tls.HandshakeTurns;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * Has what comes of a client's TLS handshake read and computed when its turn has come; until then
 * nothing of it is read. On the connection's selector thread; never blocks.
 */
@SuppressWarnings("rawtypes") // As the container has them.
final class HandshakeStrategy extends AbstractIOStrategy {
    private final HandshakeTurns turns;
    private final HandshakeWatch watch;
    private final Predicate<Connection<?>> answered;

    /**
     * Creates it.
     *
     * @param watch told whose handshakes are dropped
     * @param answered says whose handshakes have been computed before
     */
    HandshakeStrategy(
            HandshakeTurns turns, HandshakeWatch watch, Predicate<Connection<?>> answered) {
        this.turns = turns;
        this.watch = watch;
        this.answered = answered;
    }

    private final class Step implements HandshakeTurns.Turn {
        private final Connection<?> connection;

        Step(Connection<?> connection) {
            this.connection = connection;
        }

        @Override
        public void compute() {
            HandshakeRun.fire(connection);
        }

        @Override
        public void drop() {
            watch.heard(connection);
            watch.refused(connection, "too many handshakes wait");
            connection.closeSilently();
        }
    }

    @Override
    public boolean executeIoEvent(Connection connection, IOEvent event, boolean enabled)
            throws IOException {
        ClientReader reader = ReaderStrategy.reader(connection);
        if (reader == null) {
            throw new IOException("nobody reads the client of a handshake");
        }
        if (enabled) {
            connection.disableIOEvent(event);
        }
        turns.await(reader.ends().remoteAddress(), answered.test(connection), new Step(connection));
        return true;
    }

    @Override
    public Executor getThreadPoolFor(Connection connection, IOEvent event) {
        throw new UnsupportedOperationException("handshakes have turns");
    }
}
