package org.lrwp.engine.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.engine.transport.LinkSecurity;
import org.lrwp.engine.transport.PeerAddress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** A connection in memory, seen from the peer's side. Texts are one byte per character. */
public final class FakeLink implements Link {
    private static final int SCRATCH_SIZE = 64 * 1024;

    private final PeerAddress remote;
    private final Executor loop;
    private final Deque<ByteBuffer> arrived = new ArrayDeque<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private @Nullable LinkEvents events;
    private @Nullable IOException readFailure;
    private @Nullable IOException writeFailure;
    private long window = Long.MAX_VALUE;
    private boolean ended;
    private boolean reading = true;
    private boolean awaitsWritable;
    private boolean outputShut;
    private boolean closed;
    private int writes;
    private int acknowledged;
    private boolean onLoop;
    private @Nullable LinkSecurity security;

    /** Opens a link from an address of the test networks or loopback. */
    public FakeLink(String address, int port, Executor loop) {
        this(PeerAddress.of(new InetSocketAddress(address, port)), loop);
    }

    /** Opens a link from anywhere. */
    public FakeLink(PeerAddress remote, Executor loop) {
        this.remote = remote;
        this.loop = loop;
    }

    // ---- The peer's side.

    /** The peer sends bytes, as one segment. */
    public void arrives(String bytes) {
        arrivesUnseen(bytes);
        signal();
    }

    /** The peer sends bytes one at a time. */
    public void arrivesByByte(String bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            arrives(bytes.substring(i, i + 1));
        }
    }

    /** The peer has sent bytes of which the selector has not told yet. */
    public void arrivesUnseen(String bytes) {
        arrived.add(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** The thread that asks is the loop of this link. */
    public void isHere() {
        onLoop = true;
    }

    /** The peer comes inside TLS. */
    public void isSecure(LinkSecurity known) {
        security = known;
    }

    @Override
    public @Nullable LinkSecurity security() {
        return security;
    }

    /** The peer ends its output. */
    public void ends() {
        ended = true;
        signal();
    }

    /** The peer has ended its output, but the selector has not told yet. */
    public void endsUnseen() {
        ended = true;
    }

    /** The connection is reset: reading and writing fail. */
    public void breaks() {
        readFailure = new IOException("reset");
        writeFailure = new IOException("reset");
        signal();
    }

    /** The connection is reset, but the selector has not told yet. */
    public void breaksUnseen() {
        readFailure = new IOException("reset");
        writeFailure = new IOException("reset");
    }

    /** Writing fails from now on; what the peer has sent can be read. */
    public void failsToWrite() {
        writeFailure = new IOException("broken pipe");
    }

    /** From now on the peer takes only so many bytes more. */
    public void takesOnly(long bytes) {
        window = bytes;
    }

    /** The peer takes so many bytes more. */
    public void takes(long bytes) {
        window += bytes;
        if (awaitsWritable && !closed && events != null) {
            awaitsWritable = false;
            events.writable();
        }
    }

    /** Returns and forgets what the peer has got. */
    public String received() {
        String text = written.toString(StandardCharsets.ISO_8859_1);
        written.reset();
        return text;
    }

    /** How often bytes were written to the peer. */
    public int writes() {
        return writes;
    }

    /** How often what arrived was acknowledged at once. */
    public int acknowledged() {
        return acknowledged;
    }

    /** Whether the proxy has closed the connection. */
    public boolean isClosed() {
        return closed;
    }

    /** Whether the proxy has ended its output. */
    public boolean isOutputShut() {
        return outputShut;
    }

    /** Whether the proxy wants to be told of bytes. */
    public boolean isReading() {
        return reading;
    }

    private void signal() {
        while (reading && !closed && events != null && hasNews()) {
            events.readable();
            if (arrived.isEmpty()) {
                return;
            }
        }
    }

    private boolean hasNews() {
        return !arrived.isEmpty() || ended || readFailure != null;
    }

    // ---- The proxy's side.

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
        return onLoop;
    }

    @Override
    public ByteBuffer scratch() {
        return ByteBuffer.allocate(SCRATCH_SIZE);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (closed) {
            throw new IOException("closed");
        }
        if (readFailure != null) {
            throw readFailure;
        }
        ByteBuffer next = arrived.peek();
        if (next == null) {
            return ended ? -1 : 0;
        }
        int count = Math.min(next.remaining(), target.remaining());
        target.put(next.slice(next.position(), count));
        next.position(next.position() + count);
        if (!next.hasRemaining()) {
            arrived.remove();
        }
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        if (writeFailure != null) {
            throw writeFailure;
        }
        writes++;
        long count = 0;
        for (ByteBuffer source : sources) {
            while (source.hasRemaining() && window > 0) {
                written.write(source.get());
                window--;
                count++;
            }
        }
        return count;
    }

    @Override
    public void acknowledge() {
        acknowledged++;
    }

    @Override
    public void awaitWritable() {
        awaitsWritable = true;
    }

    @Override
    public void reading(boolean on) {
        reading = on;
        if (on && hasNews()) {
            loop.execute(this::signal);
        }
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void shutdownOutput() {
        outputShut = true;
    }

    @Override
    public void close() {
        closed = true;
        events = null;
    }
}
