package org.lrwp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
            int index = Math.floorMod(next.getAndIncrement(), loops.size());
            loops.get(index).adopt(socket, remote, accepted);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "accepted-link-failed", e);
            SelectorLoop.closeQuietly(socket);
        }
    }

    @Override
    public TransportStatus status() {
        return new TransportStatus("own", reason, loops.size(), true, 0);
    }

    @Override
    public void close() {
        loops.forEach(SelectorLoop::close);
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
