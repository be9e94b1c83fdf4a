package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.IOEventLifeCycleListener;
import org.glassfish.grizzly.asyncqueue.AsyncQueue;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One run of a connection's filters amid its TLS handshake, on a thread that is not the
 * connection's. The connection is selected for reading again when the run is over and all that
 * listen to it have heard so: one of them takes what was decrypted together with the client's end,
 * and the filters do not bear two runs at once.
 */
final class HandshakeRun extends IOEventLifeCycleListener.Adapter {
    private static final System.Logger LOG = System.getLogger(HandshakeRun.class.getName());

    private final Connection<?> connection;

    /** The first of two that end it has come: the filters, and the return from them. */
    private final AtomicBoolean ending = new AtomicBoolean();

    private volatile boolean expectsMore;

    private HandshakeRun(Connection<?> connection) {
        this.connection = connection;
    }

    /** Runs the filters of a connection that is not selected for reading. */
    static void fire(Connection<?> connection) {
        // It may have waited for longer than its handshake may take.
        if (!connection.isOpen()) {
            return;
        }
        var run = new HandshakeRun(connection);
        try {
            connection.getTransport().fireIOEvent(IOEvent.READ, connection, run);
            run.end();
        } catch (IOException gone) {
            connection.closeSilently();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "client-event-failed", e);
            connection.closeSilently();
        }
    }

    private void end() throws IOException {
        if (ending.compareAndSet(false, true) || !connection.isOpen()) {
            return;
        }
        if (expectsMore) {
            connection.simulateIOEvent(IOEvent.READ);
        } else {
            connection.enableIOEvent(IOEvent.READ);
        }
    }

    @Override
    public void onReregister(Context context) throws IOException {
        end();
    }

    @Override
    public void onComplete(Context context, Object data) throws IOException {
        expectsMore = AsyncQueue.EXPECTING_MORE_OPTION.equals(data);
        end();
    }
}
