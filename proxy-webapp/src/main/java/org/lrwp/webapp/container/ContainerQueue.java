package org.lrwp.webapp.container;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.CompletionHandler;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.ConnectionProbe;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.WriteResult;
import org.glassfish.grizzly.asyncqueue.WritableMessage;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;

import java.net.SocketAddress;
import java.util.function.LongConsumer;

/** What the container has taken for a client and the system has not. Any thread; never blocks. */
public final class ContainerQueue {
    private ContainerQueue() {}

    /**
     * Returns how much is in the queue.
     *
     * @param connection the client's
     * @return bytes
     */
    public static long bytes(NIOConnection connection) {
        return connection.getAsyncWriteQueue().spaceInBytes();
    }

    /**
     * Has somebody told what the system takes from now on. The queue alone does not say that: it
     * may grow by as much.
     *
     * @param connection the client's
     * @param listener gets the number of bytes, by any thread; must not block
     */
    @SuppressWarnings("rawtypes") // As the container has them.
    static void onTaken(NIOConnection connection, LongConsumer listener) {
        connection
                .getMonitoringConfig()
                .addProbes(
                        new ConnectionProbe.Adapter() {
                            @Override
                            public void onWriteEvent(Connection wrote, Buffer data, long size) {
                                listener.accept(size);
                            }
                        });
    }

    /**
     * Adds bytes at the end.
     *
     * @param connection the client's
     * @param bytes the queue's from now on
     * @param then told when the system has taken them, or never will
     */
    public static void add(
            NIOConnection connection,
            Buffer bytes,
            CompletionHandler<WriteResult<WritableMessage, SocketAddress>> then) {
        var transport = (TCPNIOTransport) connection.getTransport();
        transport.getAsyncQueueIO().getWriter().write(connection, bytes, then);
    }

    /**
     * Runs something when the system has taken all bytes; at once when it has.
     *
     * @param connection the client's
     * @param then run by any thread
     */
    public static void whenTaken(NIOConnection connection, Runnable then) {
        if (bytes(connection) == 0) {
            then.run();
            return;
        }
        add(
                connection,
                Buffers.EMPTY_BUFFER,
                new EmptyCompletionHandler<>() {
                    @Override
                    public void completed(WriteResult<WritableMessage, SocketAddress> written) {
                        then.run();
                    }
                });
    }
}
