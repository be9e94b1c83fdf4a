package org.lrwp.bench.jmh;

import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.engine.transport.PeerAddress;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** A connection in memory: takes all that is written; what its peer says is told to it. */
final class PipeLink implements Link {
    private static final int SCRATCH = 64 * 1024;

    private final PeerAddress remote;
    private final ByteBuffer scratch = ByteBuffer.allocate(SCRATCH);
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private ByteBuffer incoming = ByteBuffer.allocate(0);
    private boolean running;

    PipeLink(int port) {
        var socket = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.remote = PeerAddress.of(socket);
    }

    /** All bytes of the buffer arrive; what they lead to is done at the end of the round. */
    void says(LinkEvents connection, ByteBuffer bytes) {
        incoming = bytes.rewind();
        execute(connection::readable);
    }

    @Override
    public PeerAddress remote() {
        return remote;
    }

    @Override
    public void events(LinkEvents events) {
        // The benchmark calls them itself.
    }

    /** There is one thread, and it is the loop's. */
    @Override
    public boolean isOnLoop() {
        return true;
    }

    @Override
    public ByteBuffer scratch() {
        return scratch.clear();
    }

    @Override
    public int read(ByteBuffer target) {
        int count = Math.min(incoming.remaining(), target.remaining());
        target.put(incoming.slice(incoming.position(), count));
        incoming.position(incoming.position() + count);
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources) {
        long count = 0;
        for (ByteBuffer source : sources) {
            count += source.remaining();
            source.position(source.limit());
        }
        return count;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (running) {
            return;
        }
        running = true;
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
            next.run();
        }
        running = false;
    }

    @Override
    public void awaitWritable() {
        throw new IllegalStateException("everything is taken at once");
    }

    @Override
    public void reading(boolean on) {
        // What arrives comes whole.
    }

    @Override
    public void acknowledge() {
        // Nothing is held back here.
    }

    @Override
    public void shutdownOutput() {
        // Nobody reads the end.
    }

    @Override
    public void close() {
        throw new IllegalStateException("the engine closed the connection");
    }
}
