package org.lrwp.sdk;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

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
 * <p>Versions. A peer speaks LRWP 3: many requests and all contexts on one connection to each
 * proxy, or on as many as the proxy asks for. With an older proxy it falls back to 2.0 and 1.0: one
 * connection for each context and request at once. Handlers see no difference but in what those
 * versions cannot do, which each method says. With a secret it does not fall back unless {@link
 * PeerBuilder#versions} allows it.
 *
 * <p>Design. A watch per proxy looks its name up; each address is a target, which knows what links
 * it is to have. A link ({@code Dialer}) dials, registers and serves, and comes back after a loss;
 * it knows nothing of frames. A connection ({@code PeerConnection}) knows the frames of its version
 * and calls the handler. All of them run on threads that do not keep a program alive: {@link
 * #awaitClosed()} does.
 *
 * <p>Threads. From Java 21 on they are virtual. Below that they are platform threads: two for each
 * connection, one for each proxy and one for the peer, and for handlers as many as requests are
 * under way, so at most the {@link PeerBuilder#concurrency}; a handler's thread that has had
 * nothing to do for 10 s ends.
 *
 * <p>Ordering. The events of one link come in the order of {@link PeerEvent}; nothing orders those
 * of different links.
 *
 * <p>Thread-safe.
 */
public final class LrwpPeer implements AutoCloseable {
    /** How long an interrupted handler may take to end before it is left alone. */
    private static final Duration ABORT_TIME = Duration.ofSeconds(1);

    private final PeerConfig settings;
    private final LinkSet links = new LinkSet();
    private final List<ProxyWatch> watches;

    private LrwpPeer(PeerConfig settings) {
        this.settings = settings;
        EventReport report = new EventReport(settings.listener());
        this.watches =
                settings.proxies().stream()
                        .map(proxy -> new ProxyWatch(proxy, links, settings, report))
                        .toList();
    }

    static LrwpPeer start(PeerConfig settings) {
        LrwpPeer peer = new LrwpPeer(settings);
        for (ProxyWatch watch : peer.watches) {
            PeerThreads.start("lrwp-watch " + watch.proxy(), watch);
        }
        PeerThreads.start("lrwp-stall", peer::watchWrites);
        return peer;
    }

    /** A write has no time-out of its own; whoever does not read for so long is cut off. */
    private void watchWrites() {
        Duration stall = settings.times().stall();
        // Not by Duration, which loads BigDecimal for it.
        Duration step = Duration.ofMillis(Math.max(1, stall.toMillis() / 4));
        try {
            while (!links.awaitEnd(step)) {
                links.cutStalled(stall);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
     * @return over all proxies, 0 or more; with LRWP 3 usually one for each proxy
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
     * Changes how many requests may be under way at once; returns at once. Requests that a proxy
     * has sent before it heard of it are refused, and answered by another peer or later. With LRWP
     * 1 and 2 connections are opened, or leave.
     *
     * @param requests 0 to 65,536; 0 is a pause: the contexts stay registered with LRWP 3, and are
     *     left with LRWP 1 and 2
     * @throws IllegalArgumentException when it is out of range
     */
    public void concurrency(int requests) {
        PeerBuilder.checkConcurrency(requests, 0);
        settings.places().limit(requests);
        demand(now -> now.withConcurrency(requests));
    }

    /**
     * Serves one more context; returns at once. With LRWP 3 over the connections that are there,
     * which proves no other secret than theirs. {@link PeerEvent.Registered} or {@link
     * PeerEvent.Refused} tells how it went.
     *
     * @param context as with {@link PeerBuilder#context}
     * @throws IllegalArgumentException when it is empty or too long
     */
    public void register(String context) {
        String name = PeerBuilder.contextName(context);
        settings.check(name);
        demand(now -> now.with(name));
    }

    /**
     * Serves a context no more; returns at once. Requests under way are answered.
     *
     * @param context as it was registered
     */
    public void unregister(String context) {
        String name = PeerBuilder.contextName(context);
        demand(now -> now.without(name));
    }

    private void demand(UnaryOperator<Demand> change) {
        settings.demand().updateAndGet(change);
        watches.forEach(ProxyWatch::adjust);
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
     * Begins to leave, without waiting for it, and dials no more. May be called from anywhere. With
     * LRWP 3 the proxy is told: it sends no new requests, and ends the connection when the last
     * answer is there; no request is lost. LRWP 1 and 2 cannot announce it: idle connections end at
     * once, busy ones once they have written their answer; a request that the proxy sends at the
     * same moment is lost with its connection, and the proxy decides whether it may be repeated.
     */
    public void leave() {
        links.leave();
    }

    /**
     * Leaves as {@link #close()} does, and waits for it at most so long.
     *
     * @param drain 0 or more
     */
    public void close(Duration drain) {
        links.leave();
        try {
            if (!links.awaitEnd(drain)) {
                links.abort();
                if (!links.awaitEnd(ABORT_TIME)) {
                    links.cut();
                }
            }
        } catch (InterruptedException e) {
            links.abort();
            links.cut();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Leaves and waits for it, at most for {@link PeerBuilder#drainSeconds}: connections that are
     * busy after that are cut and their handlers interrupted. Blocks, so it is not for handlers and
     * listeners; more calls are harmless. An interrupt cuts the wait, and stays set.
     */
    @Override
    public void close() {
        close(settings.drain());
    }
}
