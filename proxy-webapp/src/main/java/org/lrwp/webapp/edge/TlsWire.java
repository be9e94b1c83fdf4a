package org.lrwp.webapp.edge;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.ssl.SSLUtils;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.webapp.container.ContainerQueue;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateEncodingException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The bytes of a client through the container's own TLS filter, which stays the only one that
 * decrypts and encrypts: it keeps what is left of a record, and the container's requests of the
 * same connection go through it too. The gate behind it gives what was decrypted to this wire.
 */
final class TlsWire implements ClientWire {
    private static final System.Logger LOG = System.getLogger(TlsWire.class.getName());
    private static final String HTTP2 = "h2";
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final byte[] NO_CERTIFICATE = {};

    private final NIOConnection connection;
    private final EdgeLoop loop;
    private final Consumer<ByteBuffer> encryption;
    private final ReentrantLock lock = new ReentrantLock();

    /** Decrypted and not yet read; under the lock. */
    private ByteBuffer come = NOTHING;

    /** The loop reads; only seen by its own thread. */
    private boolean reading;

    /**
     * Creates a wire.
     *
     * @param connection of a socket, with TLS among its filters
     * @param loop its loop
     * @param encryption sends bytes through the TLS filter; they are the caller's again when it
     *     returns
     */
    TlsWire(NIOConnection connection, EdgeLoop loop, Consumer<ByteBuffer> encryption) {
        this.connection = connection;
        this.loop = loop;
        this.encryption = encryption;
    }

    /** Whether the handshake is over, and nobody has begun another one. Any thread. */
    boolean isShaken() {
        SSLEngine engine = SSLUtils.getSSLEngine(connection);
        return engine != null && !SSLUtils.isHandshaking(engine);
    }

    /** The connection with what client and container have agreed on. After the handshake. */
    ClientConnection described(ClientConnection ends) {
        SSLEngine engine = SSLUtils.getSSLEngine(connection);
        if (engine == null) {
            return ends;
        }
        SSLSession session = engine.getSession();
        return ends.inTls(session.getProtocol(), session.getCipherSuite(), shown(session));
    }

    /** The certificate that the client has proved, in DER; empty when it has shown none. */
    private static byte[] shown(SSLSession session) {
        try {
            return session.getPeerCertificates()[0].getEncoded();
        } catch (SSLPeerUnverifiedException none) {
            return NO_CERTIFICATE;
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException("a certificate that was read", impossible);
        }
    }

    /** Whether client and container have agreed on HTTP/2. Any thread, after the handshake. */
    boolean isHttp2() {
        SSLEngine engine = SSLUtils.getSSLEngine(connection);
        return engine != null && HTTP2.equals(engine.getApplicationProtocol());
    }

    /** Whether the client has said, in TLS, that it sends nothing more. Any thread. */
    boolean isEnded() {
        SSLEngine engine = SSLUtils.getSSLEngine(connection);
        return engine != null && engine.isInboundDone();
    }

    /** Whether the client can still be answered when it sends nothing more. Any thread. */
    boolean isAnswerable() {
        SSLEngine engine = SSLUtils.getSSLEngine(connection);
        return engine != null && !engine.isOutboundDone();
    }

    /** Whether what the filter decrypts now is for this wire, and not for the container. */
    boolean isReading() {
        return loop.isCurrent() && reading;
    }

    /** Adds what was decrypted. The thread that runs the filters. */
    void add(ByteBuffer decrypted) {
        lock.lock();
        try {
            come = joined(come, decrypted);
        } finally {
            lock.unlock();
        }
    }

    /** Adds what was decrypted in a run of the filters together with the client's end. */
    void addLast(FilterChainContext run) {
        if (isEnded() && run.getMessage() instanceof Buffer) {
            add(take(run));
        }
    }

    /** Whether something was decrypted that is not yet read. Any thread. */
    boolean isCome() {
        lock.lock();
        try {
            return come.hasRemaining();
        } finally {
            lock.unlock();
        }
    }

    /** Takes what was decrypted; empty when there is nothing. Any thread. */
    ByteBuffer take() {
        lock.lock();
        try {
            ByteBuffer all = come;
            come = NOTHING;
            return all;
        } finally {
            lock.unlock();
        }
    }

    private static ByteBuffer joined(ByteBuffer first, ByteBuffer second) {
        if (!first.hasRemaining()) {
            return second;
        }
        return ByteBuffer.allocate(first.remaining() + second.remaining())
                .put(first)
                .put(second)
                .flip();
    }

    @Override
    public @Nullable ByteBuffer read(ByteBuffer room) throws IOException {
        if (!isEnded()) {
            reading = true;
            try {
                connection.getTransport().fireIOEvent(IOEvent.READ, connection, null);
            } finally {
                reading = false;
            }
        }
        ByteBuffer bytes = take();
        if (!bytes.hasRemaining()) {
            if (isEnded()) {
                return null;
            }
            if (!connection.isOpen()) {
                // The container has read the end of the socket, or what is no TLS.
                throw new ClosedChannelException();
            }
        }
        remind();
        return bytes.remaining() <= room.remaining()
                ? room.put(bytes).flip()
                : joined(room.flip(), bytes);
    }

    /** Has the connection read again when its end has been decrypted: no event tells of it. */
    void remind() throws IOException {
        if (isEnded()) {
            connection.simulateIOEvent(IOEvent.READ);
        }
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        requireOpen();
        if (bytes.hasRemaining()) {
            encryption.accept(bytes);
            // The filters tell nobody of a fault, but close the connection.
            requireOpen();
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (!connection.isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public void endOutput() {
        sayEnd();
        ContainerQueue.whenTaken(
                connection,
                () -> {
                    try {
                        ((SocketChannel) connection.getChannel()).shutdownOutput();
                    } catch (IOException gone) {
                        connection.terminateSilently();
                    }
                });
    }

    @Override
    public void close() {
        sayEnd();
        connection.closeSilently();
    }

    /** Sends close_notify, once: without it the client could not tell an end from a cut. */
    private void sayEnd() {
        SSLEngine engine = SSLUtils.getSSLEngine(connection);
        // The container's filter holds this monitor while it encrypts: records keep their order.
        synchronized (connection) {
            if (engine == null || engine.isOutboundDone() || !connection.isOpen()) {
                return;
            }
            try {
                ByteBuffer end = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
                engine.closeOutbound();
                engine.wrap(NOTHING, end);
                Buffer wrapped =
                        Buffers.wrap(connection.getTransport().getMemoryManager(), end.flip());
                ContainerQueue.add(connection, wrapped, new EmptyCompletionHandler<>());
            } catch (SSLException e) {
                LOG.log(Level.DEBUG, "client-not-told", e);
            }
        }
    }

    /** Takes the message out of a run of the filters, as a copy. */
    static ByteBuffer take(FilterChainContext context) {
        Buffer message = context.getMessage();
        ByteBuffer raw = ByteBuffer.allocate(message.remaining());
        message.get(raw);
        message.tryDispose();
        context.setMessage(null);
        return raw.flip();
    }
}
