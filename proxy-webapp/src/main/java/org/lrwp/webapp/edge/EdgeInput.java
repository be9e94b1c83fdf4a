package org.lrwp.webapp.edge;

import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.ProxyHeader;
import org.lrwp.http1.HeadReader;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.MalformedRequestException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bytes of a client: what was read and belongs to a later request or to the rest of a head, and
 * what the client's wire has. On the loop, but for {@link #keep}, which one thread at a time calls
 * while the loop does not read.
 */
final class EdgeInput {
    /** Bytes of later requests that are read while one is answered. */
    private static final int MOST_AHEAD = 16 * 1024;

    private final ClientWire wire;
    private final EdgeLoop loop;

    /** Bytes that were read and belong to what comes next; changed under the lock. */
    private volatile @Nullable ByteBuffer kept;

    private final ReentrantLock lock = new ReentrantLock();

    /** Has read a part of a head; null when none has begun. */
    private @Nullable HeadReader begun;

    EdgeInput(ClientWire wire, EdgeLoop loop) {
        this.wire = wire;
        this.loop = loop;
    }

    /** Whether bytes wait here. */
    boolean isKept() {
        return kept != null;
    }

    /** Whether a part of a head waits here for its rest. */
    boolean isHeadBegun() {
        return begun != null;
    }

    /** Takes all bytes that wait here; null when there are none. */
    @Nullable ByteBuffer takeKept() {
        if (kept == null) {
            return null;
        }
        lock.lock();
        try {
            ByteBuffer all = kept;
            kept = null;
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps what is left of a buffer behind what is kept. */
    void keep(ByteBuffer rest) {
        if (!rest.hasRemaining()) {
            return;
        }
        lock.lock();
        try {
            ByteBuffer before = kept;
            int length = before == null ? 0 : before.remaining();
            ByteBuffer all = ByteBuffer.allocate(length + rest.remaining());
            kept = (before == null ? all : all.put(before)).put(rest).flip();
        } finally {
            lock.unlock();
        }
    }

    /** Whether so much waits here that nothing is read ahead. */
    boolean isFull() {
        ByteBuffer now = kept;
        return now != null && now.remaining() >= MOST_AHEAD;
    }

    /**
     * Reads what comes while a request is answered, and keeps it.
     *
     * @return false when the client sends nothing more
     * @throws IOException when the connection is broken
     */
    boolean readAhead() throws IOException {
        ByteBuffer in = wire.read(loop.request().limit(MOST_AHEAD));
        if (in == null) {
            return false;
        }
        keep(in);
        return true;
    }

    /**
     * Reads from the wire behind what is kept.
     *
     * @return the loop's buffer, or a wider one; null when the client sends nothing more
     * @throws IOException when the connection is broken
     */
    @Nullable ByteBuffer read() throws IOException {
        return wire.read(behindKept());
    }

    /**
     * What is kept, with room behind it. The container may have read much of the next request, in
     * one piece.
     */
    private ByteBuffer behindKept() {
        ByteBuffer before = takeKept();
        if (before == null) {
            return loop.request();
        }
        int count = before.remaining();
        ByteBuffer in =
                count <= EdgeLoop.BUFFER_SIZE / 2
                        ? loop.request()
                        : ByteBuffer.allocate(count + EdgeLoop.BUFFER_SIZE);
        return in.put(before);
    }

    /**
     * Reads a PROXY header that comes before TLS, and no byte behind it: those are for the
     * container's filters, which read the socket.
     *
     * @param connection has the socket
     * @return the loop's buffer; null when the client sends nothing more
     * @throws IOException when the connection is broken
     */
    @Nullable ByteBuffer readProxyHeader(NIOConnection connection) throws IOException {
        var socket = (SocketChannel) connection.getChannel();
        ByteBuffer in = behindKept();
        int read = 1;
        for (int left = missing(in); left > 0 && read > 0; left = missing(in)) {
            read = socket.read(in.limit(in.position() + left));
        }
        return read < 0 ? null : in.flip();
    }

    private static int missing(ByteBuffer in) {
        return ProxyHeader.missing(in.duplicate().flip());
    }

    /**
     * Reads bytes of a body from the wire.
     *
     * @param body what is to come
     * @return the loop's buffer, or a wider one; null when the client sends nothing more
     * @throws IOException when the connection is broken
     */
    @Nullable ByteBuffer read(EdgeBody body) throws IOException {
        return wire.read(body.limited(loop.request()));
    }

    /**
     * Takes a head from the start of a buffer.
     *
     * @param in its position moves behind the head; untouched when the head breaks a rule
     * @param limit bytes of a head
     * @return null when its rest has to be waited for: then all of the buffer is kept
     * @throws MalformedRequestException when it breaks a rule
     */
    @Nullable HttpHead head(ByteBuffer in, int limit) throws MalformedRequestException {
        HeadReader known = begun;
        HeadReader reader = known == null ? loop.heads(limit) : known;
        begun = null;
        int start = in.arrayOffset() + in.position();
        HttpHead head = reader.read(in.array(), start, in.arrayOffset() + in.limit());
        if (head == null) {
            loop.giveAway(reader);
            begun = reader;
            keep(in);
        } else {
            in.position(in.position() + reader.length());
        }
        return head;
    }
}
