package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.CompletionHandler;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.WriteHandler;
import org.glassfish.grizzly.WriteResult;
import org.glassfish.grizzly.asyncqueue.WritableMessage;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * Writes to a client that is read before the container's filters: what the system takes goes to it
 * at once, the rest into the container's queue. One thread at a time, {@link #cut} by any; never
 * blocks.
 */
final class DirectWriter {
    private final NIOConnection connection;
    private final SocketChannel channel;
    private final RunnerLoop loop;

    /** The container closes it some time later: nothing may be written until then. */
    private volatile boolean cut;

    /**
     * Creates a writer.
     *
     * @param connection of a socket
     * @param loop its loop
     */
    DirectWriter(NIOConnection connection, RunnerLoop loop) {
        this.connection = connection;
        this.channel = (SocketChannel) connection.getChannel();
        this.loop = loop;
    }

    /** The buffer of the loop if it is this thread's and wide enough, else a new one. */
    ByteBuffer room(int octets) {
        return loop.isCurrent() && octets <= RunnerLoop.SCRATCH_SIZE
                ? loop.answer()
                : ByteBuffer.allocate(octets);
    }

    /** For the head of the present answer. */
    HeadText text() {
        return loop.isCurrent() ? loop.text() : new HeadText();
    }

    /**
     * Writes what the system takes now; the container's queue gets the rest.
     *
     * @param octets from {@link #room}, ready to be read
     * @throws IOException when the client is gone
     */
    void write(ByteBuffer octets) throws IOException {
        if (cut) {
            throw new ClosedChannelException();
        }
        try {
            if (pendingOctets() == 0) {
                channel.write(octets);
            }
        } catch (IOException e) {
            connection.terminateSilently();
            throw e;
        }
        if (octets.hasRemaining()) {
            ByteBuffer rest = ByteBuffer.allocate(octets.remaining()).put(octets).flip();
            Buffer wrapped = Buffers.wrap(connection.getTransport().getMemoryManager(), rest);
            queue(wrapped, new EmptyCompletionHandler<>());
        }
    }

    private void queue(
            Buffer octets, CompletionHandler<WriteResult<WritableMessage, SocketAddress>> then) {
        var transport = (TCPNIOTransport) connection.getTransport();
        transport.getAsyncQueueIO().getWriter().write(connection, octets, then);
    }

    /** Whether the queue is short enough for more. */
    boolean canWrite() {
        return connection.canWrite();
    }

    /** Has somebody told, once, when {@link #canWrite} is true again. */
    void notifyCanWrite(WriteHandler told) {
        connection.notifyCanWrite(told);
    }

    /** Octets that the system has not taken. */
    long pendingOctets() {
        return connection.getAsyncWriteQueue().spaceInBytes();
    }

    /** Runs something when the system has taken all octets; at once when it has. */
    void whenTaken(Runnable then) {
        if (pendingOctets() == 0) {
            then.run();
            return;
        }
        queue(
                Buffers.EMPTY_BUFFER,
                new EmptyCompletionHandler<>() {
                    @Override
                    public void completed(WriteResult<WritableMessage, SocketAddress> written) {
                        then.run();
                    }
                });
    }

    /** Ends the connection; nothing is written any more. */
    void cut(boolean reset) {
        cut = true;
        ConnectionCut.cut(connection, reset);
    }

    boolean isCut() {
        return cut;
    }
}
