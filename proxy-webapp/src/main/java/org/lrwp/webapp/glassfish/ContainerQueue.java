package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.CompletionHandler;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.WriteResult;
import org.glassfish.grizzly.asyncqueue.WritableMessage;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;

import java.net.SocketAddress;

/** What the container has taken for a client and the system has not. Any thread; never blocks. */
final class ContainerQueue {
    private ContainerQueue() {}

    /** Octets in the queue. */
    static long octets(NIOConnection connection) {
        return connection.getAsyncWriteQueue().spaceInBytes();
    }

    /** Adds octets at the end. */
    static void add(
            NIOConnection connection,
            Buffer octets,
            CompletionHandler<WriteResult<WritableMessage, SocketAddress>> then) {
        var transport = (TCPNIOTransport) connection.getTransport();
        transport.getAsyncQueueIO().getWriter().write(connection, octets, then);
    }

    /** Runs something when the system has taken all octets; at once when it has. */
    static void whenTaken(NIOConnection connection, Runnable then) {
        if (octets(connection) == 0) {
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
