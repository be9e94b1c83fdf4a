package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.PeerTls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a proxy of this host, by a Unix domain socket. The system has no time limit for
 * it: a wait that takes too long is ended by closing it.
 */
final class UnixSocket implements ProxySocket {
    private final SocketChannel channel;
    private volatile Duration most = Duration.ZERO;
    private volatile boolean outputShutdown;
    private volatile boolean late;

    /** Something that may wait. */
    private interface Wait {
        int run() throws IOException;
    }

    UnixSocket() throws IOException {
        this.channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @Override
    public void connect(SocketAddress proxy, Duration time) throws IOException {
        within(time, () -> channel.connect(proxy) ? 1 : 0);
    }

    private int within(Duration time, Wait wait) throws IOException {
        if (time.isZero()) {
            return wait.run();
        }
        Executor later = CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS);
        var ending = CompletableFuture.runAsync(this::end, later);
        try {
            return wait.run();
        } catch (AsynchronousCloseException e) {
            if (!late) {
                throw e;
            }
            var timeout = new SocketTimeoutException("nothing for " + time.toMillis() + " ms");
            timeout.initCause(e);
            throw timeout;
        } finally {
            ending.cancel(false);
        }
    }

    private void end() {
        late = true;
        closeQuietly();
    }

    @Override
    public ProxySocket secured(PeerTls tls, String host, ProtocolVersion version)
            throws IOException {
        throw new IOException("there is no TLS at a Unix domain socket");
    }

    @Override
    public InputStream input() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] target, int offset, int count) throws IOException {
                ByteBuffer into = ByteBuffer.wrap(target, offset, count);
                return count == 0 ? 0 : within(most, () -> channel.read(into));
            }
        };
    }

    @Override
    public OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] source, int offset, int count) throws IOException {
                ByteBuffer from = ByteBuffer.wrap(source, offset, count);
                while (from.hasRemaining()) {
                    channel.write(from);
                }
            }
        };
    }

    @Override
    public byte[] certificateHash() {
        return new byte[0];
    }

    @Override
    public void waitAtMost(Duration time) {
        most = time;
    }

    @Override
    public void holdLast() {
        // Nothing is sent in pieces here.
    }

    @Override
    public void shutdownOutput() throws IOException {
        outputShutdown = true;
        channel.shutdownOutput();
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
