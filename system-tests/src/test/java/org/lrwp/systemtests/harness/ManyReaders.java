package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * Many downloads that one thread reads as they come; what arrives is counted for groups of them.
 */
public final class ManyReaders implements AutoCloseable {
    private final Selector selector = Selector.open();
    private final ByteBuffer space = ByteBuffer.allocateDirect(1 << 16);
    private final long[] bytes;

    /** Nobody yet. */
    public ManyReaders(int groups) throws IOException {
        bytes = new long[groups];
    }

    /** Connects and asks. */
    public void add(int port, String request, int group) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        SocketChannel channel = SocketChannel.open(address);
        channel.write(ByteBuffer.wrap(Bytes.of(request)));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, group);
    }

    /** Reads for a time; how many bytes came for each group. */
    public long[] read(Duration time) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        long[] before = bytes.clone();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            selector.select(this::take, Math.max(1, left / 1_000_000));
        }
        long[] came = new long[bytes.length];
        for (int i = 0; i < came.length; i++) {
            came[i] = bytes[i] - before[i];
        }
        return came;
    }

    private void take(SelectionKey key) {
        try {
            space.clear();
            int count = ((SocketChannel) key.channel()).read(space);
            if (count < 0) {
                throw new AssertionError("a download has ended");
            }
            bytes[(Integer) key.attachment()] += count;
        } catch (IOException e) {
            throw new AssertionError("a download was cut", e);
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
