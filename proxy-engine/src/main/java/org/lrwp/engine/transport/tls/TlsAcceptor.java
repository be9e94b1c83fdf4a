package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.transport.Link;

import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.RejectedExecutionException;

/**
 * Makes fresh plain links the server's side of TLS 1.3, with certificates that follow their files.
 * Thread-safe; blocks on the files when it is created, and never again.
 */
public final class TlsAcceptor implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(TlsAcceptor.class.getName());

    private final TlsContexts contexts;
    private final HandshakeThreads threads;
    private final HandshakeTurns turns;
    private final TlsBuffers buffers = new TlsBuffers();
    private final Deadlines deadlines;
    private final HandshakeCounts counts;
    private final long reloadNanos;
    private volatile Deadlines.@Nullable Deadline nextLook;
    private volatile boolean closed;

    /**
     * Reads the files and begins to watch them.
     *
     * @param config certificates and limits
     * @param deadlines says when to look at the files again
     * @param refusals told whose handshakes have failed
     * @throws IOException when a file cannot be used; the message names it
     */
    public TlsAcceptor(TlsConfig config, Deadlines deadlines, TlsRefusals refusals)
            throws IOException {
        this.counts = new HandshakeCounts(refusals);
        this.contexts = new TlsContexts(config, InstantSource.system());
        this.threads = new HandshakeThreads("lrwp-tls-", config.handshakes());
        // The budget for connections that have not registered bounds how many wait.
        this.turns = new HandshakeTurns(threads, Integer.MAX_VALUE);
        this.deadlines = deadlines;
        this.reloadNanos = config.reloadTime().toNanos();
        lookLater();
    }

    /**
     * Wraps a link that has just been accepted. On the link's loop.
     *
     * @param plain the link; it belongs to the result from now on
     * @return the same connection inside TLS. Until its handshake is over it takes no bytes, gives
     *     none and has no events; when the handshake fails, reading throws. How long it may take is
     *     the owner's to watch
     */
    public Link accept(Link plain) {
        return new TlsLink(plain, contexts::engine, contexts::check, turns, buffers, counts)
                .start();
    }

    /**
     * Says how handshakes have ended.
     *
     * @return counts since the start
     */
    public TlsHandshakes handshakes() {
        return counts.now();
    }

    private void lookLater() {
        if (reloadNanos > 0 && !closed) {
            nextLook = deadlines.after(reloadNanos, this::lookOnThread);
        }
    }

    private void lookOnThread() {
        try {
            threads.execute(
                    () -> {
                        contexts.look();
                        lookLater();
                    });
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "tls-look-after-close", e);
        }
    }

    /** Begins no handshake any more; open links stay. Idempotent. */
    @Override
    public void close() {
        closed = true;
        Deadlines.Deadline next = nextLook;
        if (next != null) {
            next.cancel();
        }
        threads.close();
    }
}
