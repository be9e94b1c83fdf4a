package org.lrwp.engine.transport;

import jdk.net.ExtendedSocketOptions;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A link on a {@link SelectorLoop}. */
final class SelectorLink implements Link {
    private static final LinkEvents NOBODY =
            new LinkEvents() {
                @Override
                public void readable() {}

                @Override
                public void writable() {}
            };

    private static final System.Logger LOG = System.getLogger(SelectorLink.class.getName());
    private static final boolean QUICK_ACK = supportsQuickAck();

    private final SelectorLoop loop;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final InetSocketAddress remote;
    private LinkEvents events = NOBODY;

    SelectorLink(
            SelectorLoop loop, SocketChannel channel, SelectionKey key, InetSocketAddress remote) {
        this.loop = loop;
        this.channel = channel;
        this.key = key;
        this.remote = remote;
    }

    private static boolean supportsQuickAck() {
        try (SocketChannel probe = SocketChannel.open()) {
            return probe.supportedOptions().contains(ExtendedSocketOptions.TCP_QUICKACK);
        } catch (IOException e) {
            return false;
        }
    }

    void ready(SelectionKey selected) {
        if (selected.isValid() && selected.isWritable()) {
            interest(SelectionKey.OP_WRITE, false);
            events.writable();
        }
        if (selected.isValid() && selected.isReadable()) {
            events.readable();
        }
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public void events(LinkEvents next) {
        events = next;
    }

    @Override
    public ByteBuffer scratch() {
        return loop.scratch();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return channel.write(sources);
    }

    @Override
    public void awaitWritable() {
        interest(SelectionKey.OP_WRITE, true);
    }

    @Override
    public void reading(boolean on) {
        interest(SelectionKey.OP_READ, on);
    }

    private void interest(int operation, boolean on) {
        if (key.isValid()) {
            int now = key.interestOps();
            int wanted = on ? now | operation : now & ~operation;
            if (wanted != now) {
                key.interestOps(wanted);
            }
        }
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void acknowledge() {
        if (!QUICK_ACK) {
            return;
        }
        try {
            channel.setOption(ExtendedSocketOptions.TCP_QUICKACK, true);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "quick-acknowledge-failed", e);
        }
    }

    @Override
    public void shutdownOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void close() {
        events = NOBODY;
        SelectorLoop.closeQuietly(channel);
    }
}
