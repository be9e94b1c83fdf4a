package org.lrwp.jetty;

import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.PeerExchange;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's connection that has gone over to another protocol, as Jetty sees it: what the tunnel
 * brings can be read from it, and what is written goes into the tunnel. Thread-safe; Jetty's
 * connection runs on the server's threads.
 */
final class TunnelEndPoint extends AbstractEndPoint {
    /** How long a client that was told of the end has for its own. */
    private static final long LINGER_MILLIS = 1_000;

    private final LrwpConnector connector;
    private final PeerExchange exchange;
    private final SocketAddress local;
    private final SocketAddress remote;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock, which is not held while the exchange is called.
    private @Nullable ByteBuffer arrived;
    private boolean ended;
    private boolean closed;

    private final AtomicBoolean said = new AtomicBoolean();
    private volatile boolean full;
    private volatile boolean opened;

    TunnelEndPoint(
            LrwpConnector connector,
            PeerExchange exchange,
            SocketAddress local,
            SocketAddress remote) {
        super(connector.getScheduler());
        this.connector = connector;
        this.exchange = exchange;
        this.local = local;
        this.remote = remote;
    }

    /** The client has been told: from now on the connection is Jetty's. */
    void open(Connection next) {
        opened = true;
        notIdle();
        onOpen();
        upgrade(next);
    }

    /** The client has gone: whoever reads sees its end, and whoever writes a failure. */
    void cut(Throwable cause) {
        lock.lock();
        try {
            ended = true;
            arrived = null;
        } finally {
            lock.unlock();
        }
        exchange.abort("the client has gone");
        getWriteFlusher().onFail(cause);
        readable();
    }

    /** Before that it is a request, whose deadlines are the proxy's. */
    @Override
    protected void onIdleExpired(TimeoutException timeout) {
        if (opened) {
            super.onIdleExpired(timeout);
        }
    }

    // ---- What the client sends.

    /** Takes a piece; no further one comes before it has been read. */
    void arrived(ByteBuffer bytes) {
        exchange.pauseBody();
        boolean dropped;
        lock.lock();
        try {
            dropped = closed;
            arrived = dropped ? null : bytes.slice();
        } finally {
            lock.unlock();
        }
        if (dropped) {
            // The flow goes on, so that the end is seen.
            exchange.resumeBody();
        } else {
            readable();
        }
    }

    /** The client sends nothing more. */
    void ended() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
        readable();
    }

    private void readable() {
        connector.getExecutor().execute(() -> getFillInterest().fillable());
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
        int count;
        boolean empty = false;
        lock.lock();
        try {
            ByteBuffer bytes = arrived;
            if (bytes == null) {
                count = ended || closed ? -1 : 0;
            } else {
                count = BufferUtil.append(buffer, bytes);
                empty = !bytes.hasRemaining();
                arrived = empty ? null : bytes;
            }
        } finally {
            lock.unlock();
        }
        if (empty) {
            exchange.resumeBody();
        }
        if (count > 0) {
            notIdle();
        } else if (count < 0) {
            shutdownInput();
        }
        return count;
    }

    @Override
    protected void needsFillInterest() {
        boolean now;
        lock.lock();
        try {
            now = arrived != null || ended || closed;
        } finally {
            lock.unlock();
        }
        if (now) {
            readable();
        }
    }

    // ---- What the client gets.

    @Override
    public boolean flush(ByteBuffer... buffers) throws IOException {
        if (isOutputShutdown() || exchange.isCancelled()) {
            throw new EofException("the client has gone");
        }
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining() && !write(buffer)) {
                return false;
            }
        }
        return true;
    }

    /** Takes all of the bytes, or none. Jetty writes on one thread at a time. */
    private boolean write(ByteBuffer buffer) {
        if (full) {
            return false;
        }
        // Before: that more is welcome may be said before the call is back.
        full = true;
        if (exchange.write(ExchangeStream.copy(buffer))) {
            full = false;
        }
        notIdle();
        return true;
    }

    /** More is welcome. */
    void writable() {
        full = false;
        goOnWriting();
    }

    private void goOnWriting() {
        connector.getExecutor().execute(() -> getWriteFlusher().completeWrite());
    }

    /** That more is welcome may have been said before Jetty was ready for it. */
    @Override
    protected void onIncompleteFlush() {
        if (!full) {
            goOnWriting();
        }
    }

    // ---- The end.

    @Override
    protected void doShutdownOutput() {
        sayEnd();
        super.doShutdownOutput();
    }

    private void sayEnd() {
        if (said.compareAndSet(false, true)) {
            exchange.complete();
        }
    }

    /** What has been written still reaches the client; what it sends is for nobody. */
    @Override
    protected void doClose() {
        boolean over;
        lock.lock();
        try {
            closed = true;
            arrived = null;
            over = ended;
        } finally {
            lock.unlock();
        }
        sayEnd();
        exchange.resumeBody();
        if (exchange.isCancelled()) {
            exchange.abort("the client has gone");
        } else if (!over) {
            getScheduler()
                    .schedule(() -> exchange.abort("closed"), LINGER_MILLIS, TimeUnit.MILLISECONDS);
        }
        super.doClose();
    }

    @Override
    public void onClose(Throwable cause) {
        super.onClose(cause);
        Connection last = getConnection();
        connector.getExecutor().execute(() -> last.onClose(cause));
    }

    // ---- Where it leads.

    @Override
    public SocketAddress getLocalSocketAddress() {
        return local;
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return remote;
    }

    @Override
    public Object getTransport() {
        return exchange;
    }
}
