package org.lrwp.sdk.httpserver;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Both directions of an exchange for threads that wait: what arrives of the body while one piece is
 * being read stays with the proxy. Thread-safe.
 */
final class ExchangeFlow implements ExchangeListener {
    private final PeerExchange exchange;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by the lock.
    private final ArrayDeque<ByteBuffer> chunks = new ArrayDeque<>();
    private boolean whole;
    private boolean writable = true;
    private @Nullable String over;

    ExchangeFlow(PeerExchange exchange) {
        this.exchange = exchange;
    }

    PeerExchange exchange() {
        return exchange;
    }

    @Override
    public void onBody(ByteBuffer bytes) {
        exchange.pauseBody();
        lock.lock();
        try {
            chunks.add(bytes.duplicate());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onBodyEnd() {
        lock.lock();
        try {
            whole = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onWritable() {
        lock.lock();
        try {
            writable = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onCancelled(String reason) {
        end("the request was cancelled: " + reason);
    }

    @Override
    public void onDone() {
        end("the request is over");
    }

    private void end(String reason) {
        lock.lock();
        try {
            if (over == null) {
                over = reason;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Reads like an {@link java.io.InputStream}; blocks. */
    int read(byte[] target, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        int taken;
        boolean more;
        lock.lock();
        try {
            while (chunks.isEmpty() && !whole) {
                require();
                changed.await();
            }
            ByteBuffer chunk = chunks.peek();
            if (chunk == null) {
                return -1;
            }
            taken = Math.min(count, chunk.remaining());
            chunk.get(target, offset, taken);
            if (!chunk.hasRemaining()) {
                chunks.remove();
            }
            more = chunks.isEmpty();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            lock.unlock();
        }
        if (more) {
            exchange.resumeBody();
        }
        return taken;
    }

    /** Returns bytes that are there without waiting. */
    int available() {
        lock.lock();
        try {
            ByteBuffer chunk = chunks.peek();
            return chunk == null ? 0 : chunk.remaining();
        } finally {
            lock.unlock();
        }
    }

    /** Gives bytes of the answer, which must not change any more; blocks while there are enough. */
    void write(ByteBuffer bytes) throws IOException {
        lock.lock();
        try {
            require();
            while (!writable) {
                changed.await();
                require();
            }
            // Before the write: the event may come before that returns.
            writable = false;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            lock.unlock();
        }
        if (exchange.write(bytes)) {
            onWritable();
        }
    }

    private void require() throws IOException {
        if (over != null) {
            throw new IOException(over);
        }
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        var failure = new InterruptedIOException("interrupted while waiting for the client");
        failure.initCause(cause);
        return failure;
    }
}
