package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.IOEventLifeCycleListener;
import org.glassfish.grizzly.asyncqueue.AsyncQueue;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a client's connection may be read now. While a request is being answered its next bytes
 * have to wait; but the selector is told so only when some really come, which saves two system
 * calls for almost every request.
 *
 * <pre>
 *   OPEN --request begins--> BUSY --bytes come---> PARKED (not selected for reading)
 *     ^------request ends-----|                      |
 *     ^      ^------selected again to be watched-----+
 *     ^------request ends, selected again------------+
 * </pre>
 */
public final class LazyReads extends IOEventLifeCycleListener.Adapter {
    private enum State {
        OPEN,
        BUSY,
        PARKED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    /** Creates it for a connection that may be read. */
    public LazyReads() {}

    /**
     * Bytes have come. On the selector thread.
     *
     * @return whether they may be read; if not, the end of the request brings the event again
     */
    boolean mayRead(Connection<?> connection) throws IOException {
        if (state.get() == State.OPEN) {
            return true;
        }
        park(connection);
        return false;
    }

    /** Whether it may be read now. */
    boolean isOpen() {
        return state.get() == State.OPEN;
    }

    /** Has a busy connection not selected for reading. On the selector thread. */
    void park(Connection<?> connection) throws IOException {
        if (state.get() != State.BUSY) {
            return;
        }
        connection.disableIOEvent(IOEvent.READ);
        if (!state.compareAndSet(State.BUSY, State.PARKED)) {
            // The request has ended meanwhile.
            connection.enableIOEvent(IOEvent.READ);
        }
    }

    /**
     * Has a busy connection selected again, whose bytes had to wait and may be read ahead now. On
     * the selector thread.
     *
     * @param connection the client's
     * @throws IOException when it cannot be read any more
     */
    public void watch(Connection<?> connection) throws IOException {
        if (state.compareAndSet(State.PARKED, State.BUSY)) {
            connection.enableIOEvent(IOEvent.READ);
        }
    }

    /** A request begins that was read before the container. On the selector thread. */
    public void begin() {
        state.compareAndSet(State.OPEN, State.BUSY);
    }

    /**
     * Such a request ends. Any thread.
     *
     * @param connection the client's
     * @throws IOException when it cannot be read any more
     */
    public void end(Connection<?> connection) throws IOException {
        if (state.getAndSet(State.OPEN) == State.PARKED) {
            connection.enableIOEvent(IOEvent.READ);
        }
    }

    @Override
    public void onContextSuspend(Context context) {
        state.compareAndSet(State.OPEN, State.BUSY);
    }

    @Override
    public void onContextManualIOEventControl(Context context) {
        state.compareAndSet(State.OPEN, State.BUSY);
    }

    @Override
    public void onReregister(Context context) throws IOException {
        end(context.getConnection());
    }

    @Override
    public void onComplete(Context context, Object data) throws IOException {
        Connection<?> connection = context.getConnection();
        end(connection);
        if (AsyncQueue.EXPECTING_MORE_OPTION.equals(data)) {
            connection.simulateIOEvent(IOEvent.READ);
        }
    }
}
