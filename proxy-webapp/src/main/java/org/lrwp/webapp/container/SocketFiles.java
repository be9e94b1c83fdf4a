package org.lrwp.webapp.container;

import org.glassfish.grizzly.CloseReason;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.files.FileSend;
import org.lrwp.webapp.files.FileSender;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.files.SendEnd;
import org.lrwp.webapp.files.SendListener;

import java.nio.channels.SocketChannel;

/**
 * Has a sender send parts of files to one client, whatever front took its request: what the
 * container has taken goes first, then the file goes past it. One answer at a time uses it; its
 * methods come from any thread and never block.
 */
public final class SocketFiles {
    private static final String KEY = "org.lrwp.files";

    private final NIOConnection connection;
    private final FileSender sender;
    private volatile @Nullable FileSend present;

    private SocketFiles(NIOConnection connection, FileSender sender) {
        this.connection = connection;
        this.sender = sender;
    }

    /**
     * Who sends the bytes of answers past the container's filters.
     *
     * @return null when these would change them, as encryption and compression do
     */
    static @Nullable FileSenders sendersFor(NIOConnection connection) {
        if (!(connection.getChannel() instanceof SocketChannel)
                || !(connection.getTransport() instanceof TCPNIOTransport transport)
                || !(transport.getIOStrategy() instanceof LazyStrategy strategy)
                || !(connection.getProcessor() instanceof FilterChain filters)
                || ContainerListener.isSecure(filters)) {
            return null;
        }
        return strategy.senders();
    }

    /**
     * Returns what sends files on a connection of a socket, made once for each.
     *
     * @param connection the client's
     * @param senders take turns with connections
     * @return always the same for one connection
     */
    public static SocketFiles of(NIOConnection connection, FileSenders senders) {
        if (connection.getAttributes().getAttribute(KEY) instanceof SocketFiles known) {
            return known;
        }
        var made = new SocketFiles(connection, senders.one());
        connection.getAttributes().setAttribute(KEY, made);
        connection
                .closeFuture()
                .addCompletionHandler(
                        new EmptyCompletionHandler<CloseReason>() {
                            @Override
                            public void completed(CloseReason reason) {
                                made.withdraw();
                            }
                        });
        return made;
    }

    /**
     * Sends a part of a file, as {@link org.lrwp.webapp.client.ClientStream} has it.
     *
     * @param part what is sent
     * @param listener hears how it fares, in any case
     */
    public void send(FilePart part, SendListener listener) {
        var channel = (SocketChannel) connection.getChannel();
        var send = new FileSend(part, channel, new Forgetting(listener));
        present = send;
        if (connection.isOpen()) {
            ContainerQueue.whenTaken(connection, () -> sender.send(send));
        } else {
            // Whoever has closed it may have looked before there was anything to withdraw.
            withdraw();
        }
    }

    /**
     * Returns what the system has not taken of the present part.
     *
     * @return bytes
     */
    public long left() {
        FileSend send = present;
        return send == null ? 0 : send.left();
    }

    /** Nothing more of the present part is sent: its connection ends. */
    public void withdraw() {
        FileSend send = present;
        if (send != null) {
            send.withdraw();
            sender.look(send);
        }
    }

    /** An idle connection keeps nothing of its last answer. */
    private final class Forgetting implements SendListener {
        private final SendListener told;

        Forgetting(SendListener told) {
            this.told = told;
        }

        @Override
        public void sent(long bytes) {
            told.sent(bytes);
        }

        @Override
        public void ended(SendEnd end) {
            present = null;
            told.ended(end);
        }
    }
}
