package org.lrwp.engine.transport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The engine's own transport: a few loop threads with a selector each. New links go round robin
 * over the loops.
 */
public final class SelectorTransport implements Transport {
    private static final System.Logger LOG = System.getLogger(SelectorTransport.class.getName());
    private static final int BACKLOG = 1024;

    private final List<SelectorLoop> loops = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong unixNumbers = new AtomicLong();
    private final String reason;

    /**
     * Starts the loops.
     *
     * @param threads how many, at least 1
     * @throws IOException when a selector cannot be opened
     */
    public SelectorTransport(int threads) throws IOException {
        this(threads, "");
    }

    /**
     * Starts the loops in the place of another transport.
     *
     * @param threads how many, at least 1
     * @param reason why the other one cannot be had; empty when there is none
     * @throws IOException when a selector cannot be opened
     */
    public SelectorTransport(int threads, String reason) throws IOException {
        this.reason = reason;
        for (int i = 0; i < threads; i++) {
            loops.add(new SelectorLoop("lrwp-loop-" + i));
        }
        loops.forEach(SelectorLoop::start);
    }

    @Override
    public Listener listen(InetSocketAddress address, Consumer<Link> accepted) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, BACKLOG);
            channel.configureBlocking(false);
            var bound = (InetSocketAddress) channel.getLocalAddress();
            loops.getFirst().accept(channel, socket -> adopt(socket, accepted));
            return new ChannelListener(bound, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private void adopt(SocketChannel socket, Consumer<Link> accepted) {
        try {
            PeerSocket.prepare(socket);
            var remote = (InetSocketAddress) socket.getRemoteAddress();
            adopt(socket, PeerAddress.of(remote), accepted);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "accepted-link-failed", e);
            SelectorLoop.closeQuietly(socket);
        }
    }

    /**
     * Listens for connections of this host, by a Unix domain socket. A thread of its own accepts
     * them: the system may have to look up the name of a user elsewhere, and no loop waits for it.
     *
     * @param config where, and for whom
     * @param accepted called on the link's loop for each new link, before any of its events
     * @return the open listener; closing it removes the file
     * @throws IOException when it cannot listen there; the message names the path
     */
    public UnixListener listenUnix(SocketConfig config, Consumer<Link> accepted)
            throws IOException {
        UnixSocket open = UnixSocket.open(config);
        SelectorLoop door = new SelectorLoop("lrwp-socket");
        door.start();
        door.accept(open.channel(), socket -> adoptUnix(socket, accepted));
        return new UnixListener(open, door);
    }

    private void adoptUnix(SocketChannel socket, Consumer<Link> accepted) {
        try {
            socket.configureBlocking(false);
            String user = UnixSocket.userOf(socket);
            adopt(socket, new PeerAddress.Unix(user, unixNumbers.incrementAndGet()), accepted);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(System.Logger.Level.WARNING, "socket-peer-unknown reason=\"{0}\"", e);
            SelectorLoop.closeQuietly(socket);
        }
    }

    private void adopt(SocketChannel socket, PeerAddress remote, Consumer<Link> accepted) {
        int index = Math.floorMod(next.getAndIncrement(), loops.size());
        loops.get(index).adopt(socket, remote, accepted);
    }

    @Override
    public @Nullable Executor here() {
        for (SelectorLoop loop : loops) {
            if (loop.isCurrent()) {
                return loop::execute;
            }
        }
        return null;
    }

    @Override
    public TransportStatus status() {
        return new TransportStatus("own", reason, loops.size(), true, 0);
    }

    @Override
    public void close() {
        loops.forEach(SelectorLoop::close);
    }

    /** A Unix domain socket that listens. */
    public static final class UnixListener implements AutoCloseable {
        private final UnixSocket socket;
        private final SelectorLoop loop;
        private final AtomicBoolean closed = new AtomicBoolean();

        private UnixListener(UnixSocket socket, SelectorLoop loop) {
            this.socket = socket;
            this.loop = loop;
        }

        /**
         * Returns where its file is.
         *
         * @return an absolute path
         */
        public Path path() {
            return socket.path();
        }

        /** Stops listening and removes the file; accepted links stay. Idempotent. */
        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                socket.close();
                loop.close();
            }
        }
    }

    private final class ChannelListener implements Listener {
        private final InetSocketAddress address;
        private final ServerSocketChannel channel;

        ChannelListener(InetSocketAddress address, ServerSocketChannel channel) {
            this.address = address;
            this.channel = channel;
        }

        @Override
        public InetSocketAddress address() {
            return address;
        }

        @Override
        public void close() {
            SelectorLoop.closeQuietly(channel);
            // The socket is only gone when its selector has let go of it.
            loops.getFirst().execute(() -> {});
        }
    }
}
