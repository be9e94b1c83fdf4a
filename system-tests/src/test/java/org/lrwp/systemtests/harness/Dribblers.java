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
import java.util.Arrays;

/** Many clients that send a byte a second each, and note when and how they are ended. */
public final class Dribblers implements AutoCloseable {
    private static final long ROUND = Duration.ofSeconds(1).toNanos();

    private final Selector selector = Selector.open();
    private final ByteBuffer space = ByteBuffer.allocate(4096);
    private int open;
    private int told;

    /** Nobody yet. */
    public Dribblers() throws IOException {}

    /** One of them. */
    private static final class Client {
        private final byte[] rest;
        private int sent;
        private String answer = "";

        Client(String rest) {
            this.rest = Bytes.of(rest);
        }
    }

    /**
     * Connects.
     *
     * @param begin what is sent at once
     * @param rest what is dribbled, again and again
     */
    public void add(int port, String begin, String rest) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        SocketChannel channel = SocketChannel.open(address);
        channel.write(ByteBuffer.wrap(Bytes.of(begin)));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, new Client(rest));
        open++;
    }

    /**
     * Goes on until all have been ended.
     *
     * @param within the longest time for that
     * @return how many are left
     */
    public int dribble(Duration within) throws IOException {
        long end = System.nanoTime() + within.toNanos();
        while (open > 0 && System.nanoTime() < end) {
            long next = System.nanoTime() + ROUND;
            selector.keys().stream().filter(SelectionKey::isValid).forEach(this::send);
            for (long left = ROUND; left > 0 && open > 0; left = next - System.nanoTime()) {
                selector.select(this::take, Math.max(1, left / 1_000_000));
            }
        }
        return open;
    }

    /** How many have got an answer 408 before their end. */
    public int told() {
        return told;
    }

    private void send(SelectionKey key) {
        Client client = (Client) key.attachment();
        try {
            int at = client.sent++ % client.rest.length;
            ((SocketChannel) key.channel()).write(ByteBuffer.wrap(client.rest, at, 1));
        } catch (IOException ended) {
            end(key, client);
        }
    }

    private void take(SelectionKey key) {
        Client client = (Client) key.attachment();
        try {
            space.clear();
            int count = ((SocketChannel) key.channel()).read(space);
            if (count < 0) {
                end(key, client);
            } else {
                client.answer += Bytes.text(Arrays.copyOf(space.array(), count));
            }
        } catch (IOException reset) {
            end(key, client);
        }
    }

    private void end(SelectionKey key, Client client) {
        if (client.answer.startsWith("HTTP/1.1 408 ")) {
            told++;
        }
        open--;
        try {
            key.channel().close();
        } catch (IOException e) {
            throw new AssertionError("a socket does not close", e);
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
