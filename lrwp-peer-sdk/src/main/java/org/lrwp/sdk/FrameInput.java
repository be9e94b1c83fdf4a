package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * What arrives on a connection, with a buffer that outlives the handshake: the first request may
 * come in the same segment as the acknowledgement. Used by the connection's thread only, but for
 * {@link #isAhead()}.
 */
final class FrameInput {
    private static final int BUFFER_SIZE = 16_384;

    /** Below so many bytes a read fills the buffer, so that reading singly stays cheap. */
    private static final int SMALL_READ = 4_096;

    private final ProxySocket socket;
    private final InputStream in;
    private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE).flip();
    private Duration most = Duration.ZERO;

    /** The next bytes, where another thread reads them into the buffer's array. */
    private volatile @Nullable CompletableFuture<Integer> ahead;

    FrameInput(ProxySocket socket) throws IOException {
        this.socket = socket;
        this.in = socket.input();
    }

    /** Returns what has arrived and is not taken yet. */
    ByteBuffer arrived() {
        return buffer;
    }

    /**
     * Waits for more bytes; only when all have been taken.
     *
     * @return false at the end of input
     */
    boolean fill() throws IOException {
        CompletableFuture<Integer> reading = ahead;
        int count = reading == null ? in.read(buffer.array()) : taken(reading);
        buffer.position(0).limit(Math.max(0, count));
        return count > 0;
    }

    private int taken(CompletableFuture<Integer> reading) throws IOException {
        try {
            int count =
                    most.isZero()
                            ? reading.get()
                            : reading.get(most.toNanos(), TimeUnit.NANOSECONDS);
            ahead = null;
            return count;
        } catch (TimeoutException e) {
            var late = new SocketTimeoutException("nothing for " + most.toMillis() + " ms");
            late.initCause(e);
            throw late;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the proxy");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException lost ? lost : new IOException(e);
        }
    }

    /**
     * Has a thread of its own wait, for ever, for what comes next, while this one waits for
     * something else; {@link #fill()} takes it. Only when all that has arrived has been taken, and
     * once until then.
     *
     * @param lost hears, on that thread, that nothing comes any more
     */
    void readAhead(Consumer<IOException> lost) throws IOException {
        waitAtMost(Duration.ZERO);
        CompletableFuture<Integer> reading = new CompletableFuture<>();
        ahead = reading;
        byte[] into = buffer.array();
        PeerThreads.start(
                "lrwp-ahead",
                () -> {
                    try {
                        int count = in.read(into);
                        reading.complete(count);
                        if (count < 0) {
                            lost.accept(new EOFException("the proxy closed the connection"));
                        }
                    } catch (IOException e) {
                        reading.completeExceptionally(e);
                        lost.accept(e);
                    }
                });
    }

    /** Says whether bytes were read ahead that nobody has taken. Any thread. */
    boolean isAhead() {
        CompletableFuture<Integer> reading = ahead;
        return reading != null && reading.isDone();
    }

    /** Makes the buffer larger; what has arrived stays. */
    void enlarge(int size) {
        if (size > buffer.capacity()) {
            buffer = ByteBuffer.allocate(size).put(buffer).flip();
        }
    }

    /** Waits for more bytes where the end of input breaks something off. */
    void require(String part) throws IOException {
        if (!fill()) {
            throw new EOFException("the proxy closed the connection within " + part);
        }
    }

    /** Reads up to {@code count} bytes, large ones past the buffer. */
    int read(byte[] target, int offset, int count) throws IOException {
        boolean buffered = count < SMALL_READ || ahead != null;
        if (!buffer.hasRemaining() && buffered && !fill()) {
            return -1;
        }
        if (buffer.hasRemaining()) {
            int taken = Math.min(count, buffer.remaining());
            buffer.get(target, offset, taken);
            return taken;
        }
        return in.read(target, offset, count);
    }

    /** Says how long one wait for bytes may take; zero means for ever. */
    void waitAtMost(Duration time) throws IOException {
        most = time;
        socket.waitAtMost(time);
    }
}
