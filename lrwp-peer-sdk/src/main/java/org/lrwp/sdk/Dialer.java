package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.PeerTls;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one link up: dials, registers, serves, and after a loss waits and dials again.
 *
 * <pre>
 *   dial with 3.0 --> serve many requests --loss--> wait --> dial with 3.0 ...
 *        | not understood
 *        v
 *   dial with 2.0, 1.0 --> serve one request at a time --loss--> wait --> dial with 3.0 ...
 * </pre>
 *
 * <p>Runs on a thread of its own. {@link #retire()}, {@link #abort()} and {@link #adjust()} come
 * from other threads: they see the socket or the connection that this thread has published, or this
 * thread, having published, sees that it is to end.
 */
final class Dialer implements Runnable, ConnectionEvents, LinkSet.Member {
    private final Target target;
    private final Target.Slot slot;
    private final PeerConfig config;
    private final BackOff backOff;
    private final boolean replacing;
    private final CountDownLatch retired = new CountDownLatch(1);
    private final Set<String> counted = ConcurrentHashMap.newKeySet();
    private volatile PeerLink link;
    private volatile ProtocolVersion next;
    private volatile boolean superseded;
    private volatile long since;
    private volatile @Nullable ProxySocket socket;
    private volatile @Nullable PeerConnection connection;
    // Only the dialer's thread.
    private int refusals;

    Dialer(Target target, Target.Slot slot, PeerLink link, ProtocolVersion first) {
        this(target, slot, link, first, BackOff.of(target.config()), false);
    }

    /** Creates a dialer that takes the place of one whose proxy drains. */
    Dialer(
            Target target,
            Target.Slot slot,
            PeerLink link,
            ProtocolVersion first,
            BackOff inherited) {
        this(target, slot, link, first, inherited, true);
    }

    private Dialer(
            Target target,
            Target.Slot slot,
            PeerLink link,
            ProtocolVersion first,
            BackOff backOff,
            boolean replacing) {
        this.target = target;
        this.slot = slot;
        this.config = target.config();
        this.link = link;
        this.next = first;
        this.backOff = backOff;
        this.replacing = replacing;
    }

    Target.Slot slot() {
        return slot;
    }

    void start() {
        PeerThreads.start("lrwp-peer " + link, this);
    }

    @Override
    public void run() {
        try {
            if (replacing && awaitRetired(delayAfterDrain())) {
                return;
            }
            List<SocketAddress> candidates = target.candidates();
            while (!candidates.isEmpty() && !isRetired()) {
                connectAndServe(candidates);
                next = config.wire().newest();
                if (isRetired()) {
                    break;
                }
                target.lookUpAgain();
                var delay = backOff.next();
                report(new PeerEvent.Retrying(link, delay));
                if (awaitRetired(delay)) {
                    break;
                }
                candidates = target.candidates();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!superseded) {
                report(new PeerEvent.Closed(link));
            }
            target.ended(this);
            target.links().remove(this);
        }
    }

    private Duration delayAfterDrain() {
        Duration delay = backOff.nextAfterDrain();
        if (!delay.isZero()) {
            report(new PeerEvent.Retrying(link, delay));
        }
        return delay;
    }

    private void connectAndServe(List<SocketAddress> candidates) {
        try {
            ProtocolVersion version = next;
            while (version != null && !isRetired()) {
                version = connectAndServe(candidates, version);
            }
        } catch (RefusedException e) {
            refusals++;
            report(new PeerEvent.Refused(link, e.text()));
        } catch (IOException | MalformedFrameException e) {
            if (superseded ? !target.links().isLeaving() : !isRetired()) {
                report(new PeerEvent.Lost(link, e));
            }
        } finally {
            connection = null;
            socket = null;
        }
    }

    /** Returns the version to try next at once, null when the connection has been and is over. */
    private @Nullable ProtocolVersion connectAndServe(
            List<SocketAddress> candidates, ProtocolVersion version)
            throws IOException, MalformedFrameException, RefusedException {
        String context = slot.isMultiplexed() ? leadContext() : slot.context();
        try (ProxySocket dialled = dial(candidates)) {
            ProxySocket proxy = enter(dialled, version);
            FrameInput in = new FrameInput(proxy);
            in.waitAtMost(config.times().registration());
            new Handshake(config.registration(version, context), config.secret(), config.key())
                    .run(in, proxy);
            if (version != ProtocolVersion.LRWP_3) {
                serve(new SerialConnection(proxy, in, this, config), context);
            } else if (slot.isMultiplexed()) {
                multiplex(proxy, greeting(proxy, in), context);
            } else {
                // No request comes before the settings of this side: nothing is lost by closing.
                supersede();
                target.upgraded();
            }
            return null;
        } catch (OlderProxyException e) {
            return fallBack(e);
        }
    }

    private ProxyGreeting greeting(ProxySocket proxy, FrameInput in)
            throws IOException, MalformedFrameException {
        try {
            return ProxyGreeting.read(in, config.maxFrame());
        } catch (MalformedFrameException e) {
            Complaint.make(proxy, in, config.surroundings().nanoTime(), e);
            throw e;
        }
    }

    private ProxySocket enter(ProxySocket dialled, ProtocolVersion version)
            throws IOException, OlderProxyException {
        dialled.waitAtMost(config.times().registration());
        PeerTls tls = config.wire().tls();
        return tls == null ? dialled : dialled.secured(tls, target.host(), version);
    }

    /** The contexts take turns in the handshake, so that a refused one does not bar the others. */
    private String leadContext() throws IOException {
        List<String> contexts = config.contexts();
        if (contexts.isEmpty()) {
            throw new IOException("no context is wanted");
        }
        return contexts.get(Math.floorMod(refusals, contexts.size()));
    }

    private @Nullable ProtocolVersion fallBack(OlderProxyException proxy)
            throws RefusedException, IOException {
        ProtocolVersion lower = config.below(proxy.version());
        if (lower == null && proxy.isSilent()) {
            throw new SocketTimeoutException("the proxy says nothing");
        }
        if (lower == null) {
            boolean secret = config.secret() != null && proxy.version() == ProtocolVersion.LRWP_3;
            String reason = secret ? " (only LRWP 3 proves a secret without telling it)" : "";
            throw new RefusedException(proxy.text() + reason);
        }
        if (slot.isMultiplexed() && slot.number() > 1) {
            throw new IOException("the proxy has stopped speaking LRWP 3: " + proxy.text());
        }
        report(new PeerEvent.Downgraded(link, proxy.version(), lower, proxy.text()));
        if (slot.isMultiplexed()) {
            supersede();
            target.fellBack(lower);
            return null;
        }
        return lower;
    }

    private void multiplex(ProxySocket proxy, ProxyGreeting greeting, String context)
            throws IOException, MalformedFrameException {
        target.multiplexed(greeting.settings().connections());
        ServedContexts served = new ServedContexts(context, config.contexts(), config::contextName);
        int share = target.share(slot.number());
        serve(new MultiplexConnection(proxy, greeting, config, share, served, this), context);
    }

    private void serve(PeerConnection registered, String context)
            throws IOException, MalformedFrameException {
        since = now();
        connection = registered;
        target.links().connected(1);
        try {
            served(context, true);
            if (isRetired()) {
                registered.leave();
            }
            adjust();
            registered.serve();
        } finally {
            target.links().connected(-1);
            counted.forEach(one -> target.links().count(one, -1));
            counted.clear();
            if (!superseded) {
                backOff.held(now() - since);
            }
        }
    }

    @Override
    public void served(String context, boolean now) {
        if (now && counted.add(context)) {
            target.links().count(context, 1);
            report(new PeerEvent.Registered(link.serving(context)));
        } else if (!now && counted.remove(context)) {
            target.links().count(context, -1);
            report(new PeerEvent.Unregistered(link.serving(context)));
        }
    }

    @Override
    public void contextRefused(String context, String text) {
        report(new PeerEvent.Refused(link.serving(context), text));
        PeerThreads.start("lrwp-register", this::askAgain);
    }

    /** The proxy may think otherwise after a while, as with a refused connection. */
    private void askAgain() {
        try {
            if (!awaitRetired(config.times().longestRetry())) {
                adjust();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void draining() {
        report(new PeerEvent.Draining(link));
        supersede();
        backOff.drained(now() - since);
        target.replace(this, backOff);
    }

    @Override
    public void handlerFailed(Throwable cause) {
        report(new PeerEvent.HandlerFailed(link, cause));
    }

    /** Opens a connection to the first candidate that answers. */
    private ProxySocket dial(List<SocketAddress> candidates) throws IOException {
        IOException failure = null;
        for (SocketAddress candidate : candidates) {
            link = new PeerLink(candidate, link.context(), link.virtualHost(), link.number());
            report(new PeerEvent.Connecting(link));
            ProxySocket fresh = fresh(candidate);
            try {
                open(fresh, candidate);
                return fresh;
            } catch (IOException e) {
                fresh.close();
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        throw failure == null ? new IOException("no address") : failure;
    }

    private ProxySocket fresh(SocketAddress candidate) throws IOException {
        return candidate instanceof UnixDomainSocketAddress
                ? new UnixSocket()
                : TcpSocket.fresh(config.wire().tls() != null);
    }

    private void open(ProxySocket fresh, SocketAddress candidate) throws IOException {
        socket = fresh;
        if (isRetired()) {
            throw new IOException("the peer is leaving");
        }
        fresh.connect(candidate, config.times().connect());
    }

    private long now() {
        return config.surroundings().nanoTime().getAsLong();
    }

    private void report(PeerEvent event) {
        target.report().accept(event);
    }

    /** Passes the demand on to the connection. */
    void adjust() {
        PeerConnection registered = connection;
        if (registered != null && slot.isMultiplexed()) {
            registered.capacity(target.share(slot.number()));
            registered.contexts(config.contexts());
        }
    }

    /** Ends the link without a word when its connection does: another has taken its place. */
    private void supersede() {
        superseded = true;
        retired.countDown();
    }

    private boolean isRetired() {
        return retired.getCount() == 0;
    }

    private boolean awaitRetired(Duration time) throws InterruptedException {
        return retired.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void retire() {
        retired.countDown();
        PeerConnection registered = connection;
        if (registered != null) {
            registered.leave();
        } else {
            cut();
        }
    }

    @Override
    public void abort() {
        PeerConnection registered = connection;
        if (registered != null) {
            registered.abort();
        } else {
            cut();
        }
    }

    @Override
    public void cutIfStalled(long nanos) {
        PeerConnection registered = connection;
        if (registered != null && registered.isStalled(nanos)) {
            cut();
        }
    }

    @Override
    public void cut() {
        ProxySocket open = socket;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                report(new PeerEvent.Lost(link, e));
            }
        }
    }
}
