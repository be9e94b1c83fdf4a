package org.lrwp.engine.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A link on a {@link SelectorLoop}. */
final class SelectorLink implements Link {
    private final SelectorLoop loop;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final PeerAddress remote;
    private LinkEvents events = LinkEvents.NOBODY;

    SelectorLink(SelectorLoop loop, SocketChannel channel, SelectionKey key, PeerAddress remote) {
        this.loop = loop;
        this.channel = channel;
        this.key = key;
        this.remote = remote;
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
    public PeerAddress remote() {
        return remote;
    }

    @Override
    public void events(LinkEvents next) {
        events = next;
    }

    @Override
    public boolean isOnLoop() {
        return loop.isCurrent();
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
        if (remote instanceof PeerAddress.Tcp) {
            PeerSocket.acknowledge(channel);
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
        events = LinkEvents.NOBODY;
        SelectorLoop.closeQuietly(channel);
    }
}
