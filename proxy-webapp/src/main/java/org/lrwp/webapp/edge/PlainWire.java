package org.lrwp.webapp.edge;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.container.ContainerQueue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The bytes of a client as they are on its socket, past the container's filters. */
final class PlainWire implements ClientWire {
    private final NIOConnection connection;
    private final SocketChannel channel;

    /**
     * Creates a wire.
     *
     * @param connection of a socket
     */
    PlainWire(NIOConnection connection) {
        this.connection = connection;
        this.channel = (SocketChannel) connection.getChannel();
    }

    @Override
    public @Nullable ByteBuffer read(ByteBuffer room) throws IOException {
        return channel.read(room) < 0 ? null : room.flip();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (ContainerQueue.bytes(connection) == 0) {
            channel.write(bytes);
        }
        if (bytes.hasRemaining()) {
            ByteBuffer rest = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
            Buffer wrapped = Buffers.wrap(connection.getTransport().getMemoryManager(), rest);
            ContainerQueue.add(connection, wrapped, new EmptyCompletionHandler<>());
        }
    }

    @Override
    public void endOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException gone) {
            connection.terminateSilently();
        }
    }

    @Override
    public void close() {
        connection.closeSilently();
    }
}
