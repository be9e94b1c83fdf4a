package org.lrwp.sdk;

import java.time.Duration;

/**
 * A peer: a handler that has dialled in to one or more proxies and answers the requests of its
 * contexts.
 *
 * <pre>{@code
 * LrwpPeer peer =
 *         LrwpPeer.builder()
 *                 .proxy("127.0.0.1:1081")
 *                 .context("/echo")
 *                 .handler(r -> PeerResponse.of("text/plain", r.body().readAllBytes()))
 *                 .connect();
 * Runtime.getRuntime().addShutdownHook(new Thread(peer::close));
 * peer.awaitClosed();
 * }</pre>
 *
 * <p>Design. A watch per proxy looks its name up and keeps one link for each address, context and
 * connection. A link ({@code Dialer}) dials, registers and serves, and comes back after a loss; it
 * knows nothing of frames. A connection ({@code PeerConnection}) knows the frames of its version
 * and calls the handler. Watches and links run on virtual threads, which do not keep a program
 * alive: {@link #awaitClosed()} does.
 *
 * <p>Ordering. The events of one link come in the order of {@link PeerEvent}; nothing orders those
 * of different links. A connection takes its next request only after it has written its answer.
 *
 * <p>Thread-safe.
 */
public final class LrwpPeer implements AutoCloseable {
    /** How long an interrupted handler may take to end before it is left alone. */
    private static final Duration ABORT_TIME = Duration.ofSeconds(1);

    private final PeerSettings settings;
    private final LinkSet links = new LinkSet();

    private LrwpPeer(PeerSettings settings) {
        this.settings = settings;
    }

    static LrwpPeer start(PeerSettings settings) {
        LrwpPeer peer = new LrwpPeer(settings);
        EventReport report = new EventReport(settings.listener());
        for (ProxyAddress proxy : settings.proxies()) {
            Thread.ofVirtual()
                    .name("lrwp-watch " + proxy)
                    .start(new ProxyWatch(proxy, peer.links, settings, report));
        }
        return peer;
    }

    /**
     * Begins the description of a peer.
     *
     * @return a new builder
     */
    public static PeerBuilder builder() {
        return new PeerBuilder();
    }

    /**
     * Returns how many connections are registered now.
     *
     * @return over all proxies and contexts, 0 or more
     */
    public int registeredConnections() {
        return links.registered();
    }

    /**
     * Waits until every context has a registered connection to some proxy; blocks.
     *
     * @param timeout the longest wait
     * @return whether it is so
     * @throws InterruptedException when the calling thread is interrupted
     */
    public boolean awaitRegistered(Duration timeout) throws InterruptedException {
        return links.awaitRegistered(settings.contexts(), timeout);
    }

    /**
     * Waits until the peer has been closed and its connections have ended; blocks.
     *
     * @throws InterruptedException when the calling thread is interrupted
     */
    public void awaitClosed() throws InterruptedException {
        links.awaitEnd(Duration.ofNanos(Long.MAX_VALUE));
    }

    /**
     * Begins to leave, without waiting for it: idle connections end at once, busy ones once they
     * have written their answer, and nothing is dialled any more. May be called from anywhere. LRWP
     * 1 and 2 cannot announce this: a request that the proxy sends at the same moment is lost with
     * its connection, and the proxy decides whether it may be repeated.
     */
    public void leave() {
        links.leave();
    }

    /**
     * Leaves and waits for it, at most for the builder's drain timeout: connections that are busy
     * after that are cut and their handlers interrupted. Blocks, so it is not for handlers and
     * listeners; more calls are harmless. An interrupt cuts the wait, and stays set.
     */
    @Override
    public void close() {
        links.leave();
        try {
            if (!links.awaitEnd(settings.times().drain())) {
                links.abort();
                links.awaitEnd(ABORT_TIME);
            }
        } catch (InterruptedException e) {
            links.abort();
            Thread.currentThread().interrupt();
        }
    }
}
